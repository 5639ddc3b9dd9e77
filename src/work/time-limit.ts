/**
 * Runs `task` with a signal that aborts after `milliseconds`, or when `stop` aborts. Rejects then, even if the task ignores the signal, so
 * that its result is known before the claim of its work expires.
 */
export async function withTimeLimit<Result>(
  milliseconds: number,
  stop: AbortSignal,
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  // `AbortSignal.any` would keep a reference in `stop`, which lives as long as the process.
  const limit = new AbortController();
  const abort = () => limit.abort(new Error('The process stopped during the attempt.'));
  const timer = setTimeout(() => limit.abort(new Error('The attempt took too long.')), milliseconds);
  if (stop.aborted) abort();
  stop.addEventListener('abort', abort);
  const aborted = new Promise<never>((_resolve, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error));
  });
  try {
    return await Promise.race([task(limit.signal), aborted]);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', abort);
  }
}

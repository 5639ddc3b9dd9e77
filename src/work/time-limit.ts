/** Runs `task` with a signal that aborts after `milliseconds`, or when `stop` aborts. */
export async function withTimeLimit<Result>(
  milliseconds: number,
  stop: AbortSignal,
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  // `AbortSignal.any` would keep a reference in `stop`, which lives as long as the process.
  const limit = new AbortController();
  const abort = () => limit.abort(stop.reason);
  const timer = setTimeout(
    () => limit.abort(new DOMException('The attempt took too long.', 'TimeoutError')),
    milliseconds,
  );
  if (stop.aborted) abort();
  stop.addEventListener('abort', abort);
  try {
    return await task(limit.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', abort);
  }
}

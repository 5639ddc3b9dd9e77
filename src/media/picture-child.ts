import { writeFile } from 'node:fs/promises';
import type { PictureOrder, PictureReport } from './picture-task.js';

/** How often it looks at what a picture uses, in milliseconds. */
const WATCH_MS = 50;

/**
 * The process that works on pictures, one at a time, so that one that takes too long can be killed and none takes the threads that
 * requests need. It ends when its parent ends, even by SIGKILL. It ignores the signals that a terminal sends to both.
 */
async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', end);
  // On Linux: where memory runs out, this process is the one to be ended.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
  try {
    const { workOn } = await import('./picture-work.js');
    process.on('message', (order: PictureOrder) => void carryOut(order, workOn));
  } catch (error) {
    report({ kind: 'unusable', message: (error as Error).message }, end);
    return;
  }
  report({ kind: 'ready' });
}

async function carryOut({ task, limits }: PictureOrder, workOn: typeof import('./picture-work.js').workOn) {
  const watch = watchOver(limits);
  try {
    const result = await workOn(task);
    report({ kind: 'done', result, memoryBytes: process.memoryUsage.rss() });
  } catch (error) {
    const { message, code, syscall } = error as NodeJS.ErrnoException;
    const memoryBytes = process.memoryUsage.rss();
    report({ kind: 'failed', message, code: syscall === undefined ? undefined : code, memoryBytes });
  } finally {
    clearInterval(watch);
  }
}

/** The image library works in other threads, so this one has the time to look. */
function watchOver({ cpuMs, memoryBytes }: PictureOrder['limits']): NodeJS.Timeout {
  const before = process.cpuUsage();
  return setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if (process.memoryUsage.rss() > memoryBytes) report({ kind: 'exceeded', what: 'memory' }, end);
    else if ((user + system) / 1_000 > cpuMs) report({ kind: 'exceeded', what: 'time' }, end);
  }, WATCH_MS);
}

function report(message: PictureReport, sent: () => void = () => undefined): void {
  process.send?.(message, sent);
}

/** At once: exit() would wait for the picture. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

void main();

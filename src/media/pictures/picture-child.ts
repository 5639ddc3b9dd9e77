import { writeFile } from 'node:fs/promises';
import type { PictureOrder, PictureReport } from './picture-task.js';

/** Interval at which the resources of an image are checked, in milliseconds. */
const WATCH_MS = 50;

/**
 * The process that works on images, one at a time. It can be killed if an image takes too long, and it does not use the threads that
 * requests need. It ends when its parent ends, even by SIGKILL. It ignores the signals that a terminal sends to both.
 */
async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', end);
  // On Linux, if memory runs out, the system kills this process first.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
  try {
    const { workOn } = await import('./picture-work.js');
    process.on('message', (order: PictureOrder) => void runTask(order, workOn));
  } catch (error) {
    report({ kind: 'unusable', message: (error as Error).message }, end);
    return;
  }
  report({ kind: 'ready' });
}

async function runTask({ task, limits }: PictureOrder, workOn: typeof import('./picture-work.js').workOn) {
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

/** The image library works in other threads, so this thread has time to check. */
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

/** Ends at once. exit() would wait for the image. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

void main();

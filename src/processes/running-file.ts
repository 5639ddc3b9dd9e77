import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a running service can be reached from its own machine. `npm run demo` reads it. */
export interface Running {
  pid: number;
  url: string;
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'running.json');
}

/** Records this process as the one that serves the API on a data directory. Replaces what a killed process left behind. */
export function recordRunning(dataDir: string, url: string): void {
  const running: Running = { pid: process.pid, url };
  const temporary = `${fileIn(dataDir)}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(running)}\n`, { mode: 0o600 });
  renameSync(temporary, fileIn(dataDir));
}

/** Removes the record, unless another process has replaced it. Never throws: a record that stays names a process that does not run. */
export function forgetRunning(dataDir: string): void {
  try {
    if (readRunning(dataDir)?.pid === process.pid) rmSync(fileIn(dataDir), { force: true });
  } catch {
    // The folder cannot be written to.
  }
}

/** Returns the record; undefined if the file is missing or damaged, or if its process does not run. */
export function findRunning(dataDir: string): Running | undefined {
  const running = readRunning(dataDir);
  return running && isAlive(running.pid) ? running : undefined;
}

function readRunning(dataDir: string): Running | undefined {
  try {
    const { pid, url } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Partial<Running>;
    return pid && url ? { pid, url } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Preloaded into the service with --expose-gc. On SIGUSR2 it collects all garbage and writes the remaining memory in bytes, and the longest
 * stalls of the event loop since the last time, to PROBE_FILE.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const EVERY_MS = 50;
/** Shorter stalls are not recorded. */
const STALL_MS = 250;
const MAX_STALLS = 20;

let stalls = [];
let last = performance.now();
let cpu = process.cpuUsage();

setInterval(() => {
  const now = performance.now();
  const used = process.cpuUsage(cpu);
  const ms = now - last - EVERY_MS;
  if (ms > STALL_MS) {
    stalls.push({
      ms: Math.round(ms),
      cpuMs: Math.round((used.user + used.system) / 1000),
      at: new Date().toISOString(),
    });
    stalls = stalls.sort((a, b) => b.ms - a.ms).slice(0, MAX_STALLS);
  }
  last = now;
  cpu = process.cpuUsage();
}, EVERY_MS).unref();

process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const file = process.env.PROBE_FILE;
  writeFileSync(`${file}.part`, JSON.stringify({ ...process.memoryUsage(), stalls }));
  renameSync(`${file}.part`, file);
  stalls = [];
  last = performance.now();
});

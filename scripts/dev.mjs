/**
 * Runs the service from the sources, and again after each change, and reports the errors of the types meanwhile: `npm run dev`. The build in
 * `dist` stays as it is. The embedded PostgreSQL belongs to this process and outlives the service.
 */
import './typescript.mjs';
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { compile } from './compile.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DEBUG_PORT = 9229;
/** A debugger that stays attached would hold up the end of the old process. */
const END_MS = 5_000;
/** Editors write a file in several steps, and several files at once. */
const SETTLE_MS = 50;

if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'));

let service;
let database;
let databaseUrl;
let debugPort;
let isEnding = false;
/** The runs after each other, so that the old process has ended before the new one takes its port. */
let turn = Promise.resolve();

function say(text) {
  console.log(`[dev] ${text}`);
}

/** Restarts the service once the changes of one moment have been written. */
function watchSources() {
  const changed = new Set();
  let timer;
  const onChange = (folder) => (_event, name) => {
    if (!name?.endsWith('.ts') || name.endsWith('spec.ts')) return;
    changed.add(join(folder, name));
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...changed];
      changed.clear();
      turn = turn.then(() => reload(files)).catch(report);
    }, SETTLE_MS);
  };
  return ['src', 'extensions'].map((folder) => watch(join(ROOT, folder), { recursive: true }, onChange(folder)));
}

/** A file that is not TypeScript yet, because it is half written, does not end the service. */
async function reload(files) {
  const [first, ...others] = files;
  say(`Changed: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}. The service starts again.`);
  for (const file of files) if (existsSync(join(ROOT, file))) await compile(join(ROOT, file));
  await restart();
}

async function restart() {
  if (isEnding) return;
  await stopService();
  databaseUrl ??= await startDatabase();
  debugPort ??= await freePort();
  if (isEnding) return;
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      `--inspect=127.0.0.1:${debugPort}`,
      '--inspect-publish-uid=http',
      '--import',
      new URL('./typescript.mjs', import.meta.url).href,
      join(ROOT, 'src/main.ts'),
    ],
    { cwd: ROOT, env: { ...process.env, DATABASE_URL: databaseUrl }, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  service = child;
  child.once('exit', (code, signal) => {
    if (child !== service) return;
    service = undefined;
    if (!isEnding) say(`The service ended (${signal ?? `exit code ${code}`}). It starts again after the next change.`);
  });
}

async function stopService() {
  const child = service;
  if (!child) return;
  service = undefined;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}

/** Returns the URL of the configured database, or of the embedded one. */
async function startDatabase() {
  const { configure } = await import('../src/configure.ts');
  const config = await configure();
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const { startEmbeddedPostgres } = await import('../src/database/embedded/embedded-postgres.ts');
  database = await startEmbeddedPostgres({ dataDir: config.dataDir, log: { info: say, error: say } });
  return database.url;
}

/** The usual port of the debugger, or a free one if another process uses it. */
async function freePort() {
  const listen = (port) =>
    new Promise((resolve, reject) => {
      const server = createServer().once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        const { port: found } = server.address();
        server.close(() => resolve(found));
      });
    });
  return listen(DEBUG_PORT).catch(() => listen(0));
}

function report(error) {
  say(error instanceof Error && error.name !== 'ConfigError' ? error.stack : error.message);
}

say('Running the service from src, and again after each change. The types are checked beside it. Ctrl-C ends both.');
const watchers = watchSources();
const types = new Worker(new URL('./dev-types.mjs', import.meta.url));
types.on('message', say);
turn = turn
  .then(restart)
  .then(() => say(`The debugger listens on 127.0.0.1:${debugPort} (chrome://inspect, or "attach" in an editor).`))
  .catch(report);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (isEnding) return;
    isEnding = true;
    for (const watcher of watchers) watcher.close();
    void types.terminate();
    turn
      .catch(() => undefined)
      .then(stopService)
      .then(() => database?.stop())
      .then(() => process.exit(0))
      .catch((error) => {
        report(error);
        process.exit(1);
      });
  });
}

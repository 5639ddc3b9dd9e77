/**
 * Runs the service from the sources, and again after each change: `npm run dev`. Compiles into node_modules/.cache/dev, so that a running
 * service and the tests keep their build. The embedded PostgreSQL belongs to this process and outlives the service.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'node_modules/.cache/dev');
const DEBUG_PORT = 9229;
/** A debugger that stays attached would hold up the end of the old process. */
const END_MS = 5_000;
/** TypeScript's message that a compilation has ended. `errorCount` tells whether it succeeded. */
const COMPILED = [6193, 6194];

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

/** The compiler believes that it writes to dist, because extensions find Trivet there by the package's exports. */
const system = {
  ...ts.sys,
  writeFile: (path, ...rest) => ts.sys.writeFile(path.replace(join(ROOT, 'dist/'), `${OUT}/`), ...rest),
  createDirectory: (path) => ts.sys.createDirectory(path.replace(join(ROOT, 'dist'), OUT)),
};

/** Lets the compiled extensions import the compiled service beside them, as `trivet/…`. */
function writePackage() {
  const { name, type, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const here = Object.entries(exports).map(([from, to]) => [from, to.replace('./dist/', './')]);
  mkdirSync(OUT, { recursive: true });
  writeFileSync(join(OUT, 'package.json'), JSON.stringify({ name, type, exports: Object.fromEntries(here) }));
}

/** Prints the errors of a compilation. Restarts the service if it has no errors. */
function watch() {
  const host = ts.createWatchCompilerHost(
    join(ROOT, 'tsconfig.build.json'),
    { tsBuildInfoFile: join(OUT, '.tsbuildinfo'), noEmitOnError: true, incremental: true },
    system,
    ts.createEmitAndSemanticDiagnosticsBuilderProgram,
    (diagnostic) => process.stderr.write(ts.formatDiagnosticsWithColorAndContext([diagnostic], FORMAT)),
    (diagnostic, _newLine, _options, errorCount) => {
      if (!COMPILED.includes(diagnostic.code)) return;
      if (errorCount === 0) turn = turn.then(restart).catch(report);
      else
        say(`${errorCount} ${errorCount === 1 ? 'error' : 'errors'}. The service is not changed until they are fixed.`);
    },
  );
  return ts.createWatchProgram(host);
}

const FORMAT = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => ROOT, getNewLine: () => '\n' };

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
      join(OUT, 'src/main.js'),
    ],
    { cwd: ROOT, env: { ...process.env, DATABASE_URL: databaseUrl }, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  service = child;
  say(`The debugger listens on 127.0.0.1:${debugPort} (chrome://inspect, or "attach" in an editor).`);
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
  const load = (file) => import(join(OUT, 'src', file));
  const { configure } = await load('configure.js');
  const config = await configure();
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const { startEmbeddedPostgres } = await load('database/embedded-postgres.js');
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

writePackage();
const program = watch();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (isEnding) return;
    isEnding = true;
    program.close();
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

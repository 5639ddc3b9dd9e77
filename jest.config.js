import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

// The files of a process share the modules, whose decorators name the scopes and events of the extensions that are on. So they are the same
// ones for all files, and the example is tested as the service's own parts are.
process.env['EXTENSIONS'] ??= 'redirects';

/**
 * Files that start processes or a browser, or take more than about thirty seconds. `TESTS=2/3 npm test` runs the second third of them, as `.ci/run`
 * does, beside everything else.
 */
const SLOW = '.slow.e2e-spec.ts';
/** Files that take more than about eight seconds. Without them and the slow ones, `npm test` takes less than five minutes on two processors. */
const THOROUGH = '.thorough.e2e-spec.ts';

/** Patterns of the files that do not run. `TESTS=all npm test` runs all, and so does a command that names files. */
function ignored(tests) {
  const [part, parts] = (tests ?? '').split('/').map(Number);
  const isNamed = process.argv.slice(2).some((argument) => !argument.startsWith('-'));
  if (tests === 'all' || (!tests && isNamed)) return [];
  if (!parts) return [SLOW, THOROUGH].map((ending) => `\\${ending}$`);
  const names = readdirSync(new URL('test', import.meta.url), { recursive: true });
  const slow = names.filter((name) => name.endsWith(SLOW)).sort();
  return slow.filter((_, index) => index % parts !== part - 1).map((name) => `/test/${name}$`);
}

/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  testMatch: [
    '<rootDir>/{src,cli/src}/**/*.spec.ts',
    '<rootDir>/test/**/*.e2e-spec.ts',
    '<rootDir>/extensions/**/*spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', ...ignored(process.env['TESTS'])],
  testSequencer: '<rootDir>/test/support/jest/sequencer.cjs',
  transform: {},
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/after-each.ts'],
  testTimeout: 120_000,
  // One more than there are processors, because most files wait for servers much of their time. Each takes some of PostgreSQL's hundred connections.
  maxWorkers: Math.min(availableParallelism() + 1, 5),
  workerIdleMemoryLimit: '1000MB',
  // A library's socket that closes late must not delay the end of the run.
  forceExit: true,
};

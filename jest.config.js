import { availableParallelism } from 'node:os';

// The files of a process share the modules, whose decorators name the scopes and events of the extensions that are on. So they are the same
// ones for all files, and the example is tested as the service's own parts are.
process.env['EXTENSIONS'] ??= 'redirects';

/**
 * Files that start processes, or take more than about twenty seconds. `TESTS=all npm test` runs them too, `npm run test:one` runs any file, and
 * `.ci/run` a third of them.
 */
const slow = process.env['TESTS'] === 'all' ? [] : ['\\.slow\\.e2e-spec\\.ts$'];

/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.e2e-spec.ts', '<rootDir>/extensions/**/*spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...slow],
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

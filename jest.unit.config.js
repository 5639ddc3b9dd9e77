import all from './jest.config.js';

/** The tests beside the sources, which need no PostgreSQL and no build: `npm run test:unit`. */
const config = { ...all, globalSetup: undefined, globalTeardown: undefined };

/** @type {import('jest').Config} */
export default {
  ...config,
  testMatch: ['<rootDir>/{src,cli/src}/**/*.spec.ts', '<rootDir>/extensions/**/*.spec.ts'],
  // It starts PostgreSQL.
  testPathIgnorePatterns: ['<rootDir>/src/database/embedded/embedded-postgres.spec.ts'],
};

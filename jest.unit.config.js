import all from './jest.config.js';

/**
 * The tests beside the sources, which need no PostgreSQL and no build: `npm run test:unit`.
 *
 * @type {import('jest').Config}
 */
export default {
  ...all,
  globalSetup: undefined,
  globalTeardown: undefined,
  testMatch: ['<rootDir>/{src,cli/src}/**/*.spec.ts', '<rootDir>/extensions/**/*.spec.ts'],
};

import { takeUnexpected } from './server-errors.js';

afterEach(() => {
  const unexpected = takeUnexpected();
  if (unexpected.length === 0) return;
  const hint = 'If a test causes this on purpose, it must call expectServerErrors (test/support/server-errors.ts).';
  throw new Error([...unexpected.slice(0, 5), hint].join('\n\n'));
});

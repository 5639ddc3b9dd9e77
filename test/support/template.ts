/** The database that the test files' databases are copied from. */
export const TEMPLATE = 'trivet_test_template';

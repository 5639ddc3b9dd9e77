/** The database that every test file's own is copied from. */
export const TEMPLATE = 'trivet_test_template';

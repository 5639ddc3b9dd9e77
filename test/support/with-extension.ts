/**
 * Turns on the example extension in the test file that imports this first, so that its operations, statements, tables and scopes are tested
 * as the service's own are. `EXTENSIONS` can name others.
 */
process.env['EXTENSIONS'] ??= 'redirects';

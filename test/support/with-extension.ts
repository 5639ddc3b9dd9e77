/**
 * Turns on the example extension in the test file that calls this, so that its operations, statements, tables and scopes are tested as the
 * service's own are. `EXTENSIONS` can name others.
 */
export function withExtension(): void {
  process.env['EXTENSIONS'] ??= 'redirects';
}

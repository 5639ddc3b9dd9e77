/** What stops a command and is no fault of the program: the admin reads its message, in one line and without a stack. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** An error that stops a command but is not a fault of the program. The administrator sees its message in one line, without a stack. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

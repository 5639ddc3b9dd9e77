/** A reason not to start that the operator can change. The message names the variable and says what to do, and needs no stack. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

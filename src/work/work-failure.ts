/** An attempt failed. The text of the error is the reason, which the database stores. */
export class WorkFailure extends Error {
  override readonly name = 'WorkFailure';
  /** Whether every later attempt would fail too, so that the work has failed. */
  readonly permanent: boolean;
  /** The `Retry-After` header of a response, unparsed. */
  readonly retryAfter: string | undefined;

  constructor(reason: string, { permanent = false, retryAfter }: { permanent?: boolean; retryAfter?: string } = {}) {
    super(reason);
    this.permanent = permanent;
    this.retryAfter = retryAfter;
  }
}

/**
 * Records the requests and their outcomes. Every operation has its own token, which its events and rows contain, so that they can be told
 * apart.
 *
 * An operation is `acknowledged` (2xx: it happened), `rejected` (4xx: it did not), `unsent` (the connection was refused) or `unknown` (5xx
 * or no response: it may have happened, completely or not at all).
 */
export class Ledger {
  operations = [];
  /** The entries that must exist in the end: {title}, or null for a deleted one. Entries of unknown state are omitted. */
  entries = new Map();
  /** Responses that are not explained by a failure. */
  surprises = [];
  counts = { acknowledged: 0, rejected: 0, unsent: 0, unknown: 0 };

  /**
   * Calls `ask` and records the outcome. `operation` is {kind, events, …} with the keys of the events that it must cause; `expected` are
   * the statuses allowed besides 503. Returns a successful response.
   */
  async perform(operation, expected, ask) {
    this.operations.push(operation);
    let answer;
    try {
      answer = await ask();
    } catch (error) {
      this.settle(operation, error.code === 'ECONNREFUSED' ? 'unsent' : 'unknown');
      operation.failed = true;
      return undefined;
    }
    const { status, body } = answer;
    operation.failed = status >= 500;
    if (status >= 500) this.settle(operation, 'unknown');
    else this.settle(operation, status < 300 ? 'acknowledged' : 'rejected');
    // 503 is the documented response during a failure.
    if (status !== 503 && !expected.includes(status)) {
      this.surprises.push(`${operation.kind} answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    }
    return status < 300 ? answer : undefined;
  }

  settle(operation, state) {
    operation.state = state;
    this.counts[state]++;
  }
}

/**
 * The event's key as operations list it: the type with the entry's ID or the token. Undefined for the events of content types, forms and
 * webhooks, which no operation lists; whether they are in the feed and delivered is compared all the same.
 */
export function keyOfEvent({ type, data }) {
  if (!type.startsWith('entry.') && type !== 'form.submitted') return undefined;
  if (type === 'entry.deleted') return `${type} ${data.id}`;
  return `${type} ${type === 'form.submitted' ? data.fields.message : data.fields.title}`;
}

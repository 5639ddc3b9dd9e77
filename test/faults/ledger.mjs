/**
 * What was asked of the service and what it said. Every operation has a token of its own that its events and rows carry, so that each of
 * them can be told from all others.
 *
 * An operation is `acknowledged` (2xx: it happened), `rejected` (4xx: it did not), `unsent` (nobody listened) or `unknown` (5xx or no
 * answer: it may have happened, as a whole or not at all).
 */
export class Ledger {
  operations = [];
  /** Entries as they must be in the end: {title}, or null when deleted; those of unknown state are not here. */
  entries = new Map();
  /** Answers that nothing explains. */
  surprises = [];
  counts = { acknowledged: 0, rejected: 0, unsent: 0, unknown: 0 };

  /**
   * Sends what `ask` sends and writes down what came of it. `operation` is {kind, events, …} with the keys of the events it must cause;
   * `expected` are the statuses that are no surprise, beside failures of the service. Returns the answer of a success.
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
    // A service that is not well says so with 503.
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

/** What an event is about, as the operations name it. */
export function keyOfEvent({ type, data }) {
  if (type === 'entry.deleted') return `${type} ${data.id}`;
  return `${type} ${type === 'form.submitted' ? data.fields.message : data.fields.title}`;
}

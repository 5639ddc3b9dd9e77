import pg from 'pg';

/** A statement that runs for longer is overdue. Most take milliseconds. */
const OVERDUE_AFTER_S = 3;
/** How much later than its own time-out the answer of a statement may arrive. */
const GRACE_S = 5;
const TICK_MS = 1_000;

/** What the statements on a connection are a part of. */
export interface ConnectionUse {
  /** The time-out that the server applies to each statement, in seconds. */
  statementTimeoutS: number;
  /** The statement in progress takes very long, or will never be answered. */
  overdue(): void;
  /** A statement was answered, however late. */
  answered(): void;
  /** The connection is given up, because a statement was not answered in its time. */
  abandoned(client: LimitedClient): void;
}

/**
 * A connection that is given up if a statement is not answered in its time. The server's own time-out does not suffice: a server that hangs does
 * not report it, and neither does Citus while it waits for a server that hangs.
 *
 * Time is counted in ticks of this process, so that a process that was suspended does not give up connections that are fine.
 */
export class LimitedClient extends pg.Client {
  /** Set while the connection is in use. Without it, nothing is limited. */
  use?: ConnectionUse;
  /** The number of the session's process on the server, as the server or a pooler gives it. */
  declare readonly processID: number | null;
  private isBusy = false;
  /** How long the statement in progress has run. */
  private seconds = 0;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.connection.once('readyForQuery', () => {
      const timer = setInterval(() => this.tick(), TICK_MS).unref();
      this.connection.once('end', () => clearInterval(timer));
    });
    this.connection.on('readyForQuery', () => {
      this.seconds = 0;
      this.use?.answered();
    });
    this.on('drain', () => (this.isBusy = false));
  }

  /** The port of this end of the connection; -1 if it is not a TCP connection. By it, the server knows the session of this connection. */
  get localPort(): number {
    return (this.connection.stream as { localPort?: number }).localPort ?? -1;
  }

  override query(...statement: never[]): never {
    if (!this.isBusy) this.seconds = 0;
    this.isBusy = true;
    return super.query(...(statement as unknown as [string])) as never;
  }

  /** Closes the socket. Whoever waits for a statement gets an error. */
  abandon(): void {
    this.use?.abandoned(this);
    this.use = undefined;
    this.connection.stream.destroy();
  }

  private tick(): void {
    const { use } = this;
    if (!use || !this.isBusy) return;
    this.seconds++;
    if (this.seconds > use.statementTimeoutS + GRACE_S) this.abandon();
    else if (this.seconds === OVERDUE_AFTER_S) use.overdue();
  }
}

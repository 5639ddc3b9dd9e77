import pg from 'pg';

const CONNECT_MS = 3_000;
/** A server that takes longer to answer counts as lost. */
const QUERY_MS = 2_000;

interface Connection {
  client: pg.Client;
  /** Resolves when it hears the others. */
  listens: Promise<unknown>;
}

/**
 * Short messages between the processes that use the database (`NOTIFY`), on a connection of its own. A message may get lost: the connection
 * may break, and a pooler may give the session to another client.
 */
export class DatabaseChannel {
  private connection?: Connection;
  private isStopped = false;

  /** Calls `heard` with each message of another process, once the first message has been sent. */
  constructor(
    private readonly url: string,
    private readonly name: string,
    private readonly heard: (message: string) => void,
  ) {}

  /** Never rejects: a message that cannot be sent is lost. */
  async send(message: string): Promise<void> {
    if (this.isStopped) return;
    const connection = (this.connection ??= this.connect());
    try {
      await connection.listens;
      await connection.client.query('SELECT pg_notify($1, $2)', [this.name, message]);
    } catch {
      await this.drop(connection);
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.connection) await this.drop(this.connection);
  }

  private connect(): Connection {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: `trivet watch ${this.name}`,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      keepAlive: true,
    });
    const connection = { client, listens: client.connect().then(() => client.query(`LISTEN ${this.name}`)) };
    for (const event of ['error', 'end'] as const) client.on(event, () => void this.drop(connection));
    client.on('notification', ({ processId, payload = '' }) => {
      if (processId !== (client as { processID?: number | null }).processID) this.heard(payload);
    });
    return connection;
  }

  private async drop(connection: Connection): Promise<void> {
    if (this.connection === connection) this.connection = undefined;
    await connection.client.end().catch(() => undefined);
  }
}

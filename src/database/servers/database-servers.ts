import { Logger } from '@nestjs/common';
import pg from 'pg';
import { hasCitus, isDistributed, serversOf, type TenantServer } from './citus.js';
import { CITUS_OPTIONS } from '../data-source.js';
import type { DatabaseProbe } from '../connections/database-probe.js';
import { isPartAway } from '../../errors/database-problem.js';

/** A server that takes longer to answer is away. */
const ANSWER_MS = 2_000;
const CONNECT_MS = 5_000;
/** How often the servers are asked while one is away. */
const CHECK_EVERY_MS = 1_000;
/** A question that is not answered is kept, and after this time another one is asked beside it. */
const ASK_AGAIN_MS = 30_000;
/** Questions that a server has not answered. Each keeps a session of the coordinator. */
const MAX_QUESTIONS = 3;

interface Part extends TenantServer {
  answers: boolean;
}

/**
 * Which servers of a distributed database answer. They are asked when a statement is overdue or fails because of another server, and until all
 * answer again. While one is away, what concerns its tenants fails at once, so that it takes nothing from others. A database with one server has
 * nothing to ask.
 */
export class DatabaseServers {
  private readonly logger = new Logger('Database');
  private readonly questions = new Map<string, Question[]>();
  private parts: readonly Part[] = [];
  /** The tenants whose server does not answer. */
  private away: ReadonlySet<string> = new Set();
  private isDistributed = false;
  private checking?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private isStopped = false;
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly url: string,
    private readonly probe: Pick<DatabaseProbe, 'run'>,
    private readonly tenantIds: readonly string[],
  ) {}

  /** Must be called before the first statement. Returns whether the database has Citus. */
  async start(): Promise<boolean> {
    this.isDistributed = await this.probe.run(hasCitus);
    await this.check();
    return this.isDistributed;
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.endQuestions();
  }

  /** Whether the server that has the tenant's rows does not answer. */
  isAway(tenantId: string): boolean {
    return this.away.has(tenantId);
  }

  get tenantsAway(): ReadonlySet<string> {
    return this.away;
  }

  get serversAway(): number {
    return this.parts.filter(({ answers }) => !answers).length;
  }

  /** Undefined if all servers answer. Otherwise, the tenants of each of those that do. */
  get present(): readonly (readonly string[])[] | undefined {
    if (this.serversAway === 0) return undefined;
    return this.parts
      .filter(({ answers, tenantIds }) => answers && tenantIds.length > 0)
      .map(({ tenantIds }) => tenantIds);
  }

  /** Calls `listener` whenever other servers are away than before. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Finds out which servers answer, in some seconds at most. Calls at the same time share this. */
  async check(): Promise<void> {
    if (!this.isDistributed || this.isStopped) return;
    await (this.checking ??= this.askAll().finally(() => (this.checking = undefined)));
  }

  private async askAll(): Promise<void> {
    clearTimeout(this.timer);
    // If the coordinator does not answer, nothing is known about the others.
    const servers = await this.probe.run((client) => this.servers(client)).catch(() => undefined);
    if (servers) {
      this.note(await Promise.all(servers.map(async (server) => ({ ...server, answers: await this.answers(server) }))));
    }
    if (this.isStopped) return;
    if (this.serversAway > 0) this.timer = setTimeout(() => void this.check(), CHECK_EVERY_MS).unref();
    else this.endQuestions();
  }

  private async servers(client: pg.ClientBase): Promise<TenantServer[]> {
    return (await isDistributed(client)) ? serversOf(client, this.tenantIds) : [];
  }

  private note(parts: readonly Part[]): void {
    const before = [this.serversAway, ...this.away].join();
    this.parts = parts;
    this.away = new Set(parts.flatMap(({ tenantIds, answers }) => (answers ? [] : tenantIds)));
    if ([this.serversAway, ...this.away].join() === before) return;
    if (this.serversAway > 0) {
      this.logger.warn(
        { tenants: this.away.size },
        `${this.serversAway} of ${parts.length} database servers do not answer. Their tenants get 503 until they do`,
      );
    } else this.logger.log('All database servers answer again');
    for (const listener of this.listeners) listener();
  }

  /** Looks for a row of a tenant on the server. A question that was not answered earlier counts too. */
  private async answers({ name, sampleId }: TenantServer): Promise<boolean> {
    const questions = this.questions.get(name) ?? [];
    this.questions.set(name, questions);
    const youngest = questions.at(-1);
    if (!youngest || (questions.length < MAX_QUESTIONS && youngest.age > ASK_AGAIN_MS)) {
      const question = await Question.ask(this.url, sampleId).catch(() => undefined);
      // If the coordinator takes no connection, nothing is known about the other server.
      if (!question && !youngest) return true;
      if (question) questions.push(question);
    }
    const answers = await firstOf(questions, ANSWER_MS);
    // After an answer the others are not needed, and one that failed is asked again.
    const kept = answers ? [] : questions.filter(({ hasEnded }) => !hasEnded);
    for (const question of questions) if (!kept.includes(question)) question.end();
    this.questions.set(name, kept);
    return answers;
  }

  private endQuestions(): void {
    for (const question of [...this.questions.values()].flat()) question.end();
    this.questions.clear();
  }
}

/** One attempt to read a row of a tenant. It has no time-out, because a server that hangs answers as soon as it goes on. */
class Question {
  hasEnded = false;
  /** Resolves to false if the server could not be reached. */
  readonly answer: Promise<boolean>;
  private readonly askedAt = performance.now();

  private constructor(
    private readonly client: pg.Client,
    tenantId: string,
  ) {
    this.answer = client.query('SELECT FROM tenants WHERE id = $1', [tenantId]).then(
      () => true,
      (error: unknown) => !isPartAway(error),
    );
    void this.answer.then(() => (this.hasEnded = true));
  }

  /** Connects to the coordinator, and asks. */
  static async ask(url: string, tenantId: string): Promise<Question> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'trivet servers',
      connectionTimeoutMillis: CONNECT_MS,
      options: `${CITUS_OPTIONS} -c statement_timeout=0`,
      keepAlive: true,
    });
    client.on('error', () => undefined);
    await client.connect();
    return new Question(client, tenantId);
  }

  get age(): number {
    return performance.now() - this.askedAt;
  }

  end(): void {
    void this.client.end().catch(() => undefined);
  }
}

/** Whether a question is answered within the time. */
async function firstOf(questions: readonly Question[], ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    let failed = 0;
    for (const { answer } of questions) {
      void answer.then((answered) => {
        if (!answered && ++failed < questions.length) return;
        clearTimeout(timer);
        resolve(answered);
      });
    }
  });
}

import type { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Limits } from '../../tenants/limits.js';
import type { SubmissionFiles } from '../files/submission-files.js';
import type { UnstoredSubmissions } from '../retention/unstored-submissions.js';
import type { SubmissionWrite } from './submission-write.js';
import { SubmissionWriter } from './submission-writer.js';

const GROUP = 'submissions.create_group';

/** A database that answers when the test says so. */
class SlowDatabase {
  readonly isDistributed = false;
  /** The IDs of each statement that has begun. */
  readonly began: string[][] = [];
  private readonly answers: { resolve: (rows: object[]) => void; reject: (error: unknown) => void; ids: string[] }[] =
    [];

  query(
    _tenantId: string,
    { name }: { name: string },
    { ids, submissionId }: { ids?: string[]; submissionId?: string },
  ): Promise<object[]> {
    expect(name === GROUP).toBe(ids !== undefined);
    const all = ids ?? [String(submissionId)];
    this.began.push(all);
    return new Promise((resolve, reject) => this.answers.push({ resolve, reject, ids: all }));
  }

  attempt<Result>(_tenantId: string, work: () => Promise<Result>): Promise<Result> {
    return work();
  }

  /** Ends the oldest statement. `left` are the submissions that it leaves out. */
  async end({ left = [], error, rows }: { left?: string[]; error?: unknown; rows?: object[] } = {}): Promise<void> {
    const { resolve, reject, ids } = this.answers.shift()!;
    const isGroup = ids.length > 1;
    if (error) reject(error);
    else resolve(rows ?? ids.flatMap((id) => (isGroup ? (left.includes(id) ? [] : { id }) : { isStored: true })));
    await queueKey();
  }
}

const queueKey = () => new Promise((resolve) => setImmediate(resolve));

function writerTo(database: SlowDatabase) {
  const limits = {
    of: () => undefined,
    executor: () => database,
    within: (_creations: unknown, work: (transaction: SlowDatabase) => Promise<unknown>) => work(database),
  };
  const files = { creationsOf: () => [] };
  return new SubmissionWriter(
    database as unknown as Database,
    limits as unknown as Limits,
    files as unknown as SubmissionFiles,
    {} as UnstoredSubmissions,
  );
}

interface Traits {
  digest?: string;
  proof?: string;
  since?: string | null;
  characters?: number;
}

function submissionOf(id: string, { digest = id, proof, since = '0', characters = 10 }: Traits = {}): SubmissionWrite {
  const submission = {
    formId: 'f',
    formVersion: 1,
    submissionId: id,
    fields: '{}',
    addresses: null,
    digest,
    origin: null,
    locale: null,
    valueFields: [],
    spamFields: [],
    valueKeys: [],
    valueDiscriminators: [],
    eventIds: [`event of ${id}`],
    eventTypes: ['form.submitted'] as const,
    eventData: 'x'.repeat(characters),
    at: '2026-01-01T00:00:00.000Z',
  };
  const checks = {
    reasons: [],
    duplicatesSince: since,
    asksForProof: false,
    proofId: proof ?? null,
    proofExpiresAt: proof === undefined ? null : '2026-01-01T00:00:00.000Z',
    untimed: null,
    guarded: null,
  };
  return { submission, checks, isStored: true };
}

describe('SubmissionWriter', () => {
  let database: SlowDatabase;
  let writer: SubmissionWriter;
  const write = (...submissions: SubmissionWrite[]) =>
    Promise.allSettled(submissions.map((one) => writer.write('ten_a', one, { isHeavy: false, files: [] })));

  beforeEach(() => {
    database = new SlowDatabase();
    writer = writerTo(database);
  });

  it('writes one that arrives alone at once, and those that arrive meanwhile together', async () => {
    const first = write(submissionOf('a'));
    await queueKey();
    const others = write(submissionOf('b'), submissionOf('c'), submissionOf('d'));
    await queueKey();
    expect(database.began).toEqual([['a']]);
    await database.end();
    expect(database.began).toEqual([['a'], ['b', 'c', 'd']]);
    await database.end({ left: ['c'] });
    // It is written again by itself, in a transaction.
    expect(database.began.at(-1)).toEqual(['c']);
    await database.end();
    const written = [...(await first), ...(await others)].map((result) => 'value' in result && result.value);
    expect(written).toEqual([true, true, true, true]);
    const later = write(submissionOf('e'));
    await queueKey();
    await database.end();
    expect(await later).toMatchObject([{ value: true }]);
  });

  it('returns false for each of a group whose form has changed', async () => {
    const both = write(submissionOf('a'), submissionOf('b'));
    await queueKey();
    await database.end({ rows: [] });
    expect(await both).toMatchObject([{ value: false }, { value: false }]);
  });

  it('never puts equal submissions, or the same proof twice, into one group', async () => {
    void write(
      submissionOf('a', { digest: 'x', proof: 'p' }),
      submissionOf('b'),
      submissionOf('c', { digest: 'x' }),
      submissionOf('d', { proof: 'q' }),
      submissionOf('e', { proof: 'q' }),
    );
    await queueKey();
    for (let ended = 0; ended < 3; ended++) await database.end();
    expect(database.began).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('lets equal submissions be in one group if duplicates are allowed', async () => {
    void write(submissionOf('a', { digest: 'x', since: null }), submissionOf('b', { digest: 'x', since: null }));
    await queueKey();
    expect(database.began).toEqual([['a', 'b']]);
  });

  it('limits a group by its number and its characters', async () => {
    void write(...Array.from({ length: 51 }, (_value, index) => submissionOf(`${index}`)));
    await queueKey();
    for (const id of ['x', 'y', 'z']) void write(submissionOf(id, { characters: 200_000 }));
    while (database.began.length < 4) await database.end();
    expect(database.began.map(({ length }) => length)).toEqual([50, 2, 1, 1]);
  });

  it('writes each by itself if a value is refused', async () => {
    const all = write(submissionOf('a'), submissionOf('b'), submissionOf('c'));
    await queueKey();
    const refused = Object.assign(new Error('violates a constraint'), { code: '23514' });
    await database.end({ error: refused });
    await database.end();
    await database.end({ error: refused });
    await database.end();
    expect(database.began).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('refuses those that wait, too, if the database is away', async () => {
    const all = write(submissionOf('a'), submissionOf('b'));
    await queueKey();
    const waiting = write(submissionOf('c'), submissionOf('d'));
    await database.end({ error: Problem.unavailable('This tenant has too many requests in progress.') });
    expect([...(await all), ...(await waiting)].map(({ status }) => status)).toEqual(
      Array.from({ length: 4 }, () => 'rejected'),
    );
    expect(database.began).toEqual([['a', 'b']]);
  });
});

import type { Statement, WriteStep } from './statement.js';
import { either, insert, part, write } from './write.js';

/** The texts of the statements, by the parts that they carry out. */
const textsOf = ({ steps }: Statement<never, unknown>, values: object, found: Record<string, object[]> = {}) =>
  steps!.steps.map(({ part: name, query }: WriteStep) => [
    name,
    query('ten_a', values, new Map(Object.entries(found) as [string, Record<string, unknown>[]][]))?.text,
  ]);

describe('a write', () => {
  const held = part('held', 'SELECT 1 FROM types WHERE tenant_id = :tenantId AND id = :typeId FOR KEY SHARE');
  const thing = insert(
    'thing',
    'INSERT INTO things (tenant_id, id) SELECT :tenantId, :id::uuid FROM held RETURNING id, size',
    { returns: { id: 'uuid', size: 'bigint' } },
  );
  const words = insert(
    'words',
    'INSERT INTO words (tenant_id, thing_id, word) SELECT :tenantId, thing.id, w.word FROM thing, unnest(:words::text[]) AS w (word)',
  );
  const counted = part('counted', 'UPDATE counts c SET n = n + thing.size FROM thing WHERE c.tenant_id = :tenantId', {
    of: 'thing',
  });
  const create = write<{ typeId: string; id: string; words: readonly string[] }, object>()(
    'test.create',
    [held, thing, words, counted],
    { columns: '1', of: 'thing' },
  );
  const values = { typeId: 't', id: 'i', words: ['a', 'b'] };
  const found = { held: [{}], thing: [{ id: 'i', size: 7 }] };

  it('is one statement with a common table expression for each part', () => {
    expect(create.text).toBe(
      'WITH held AS (SELECT 1 FROM types WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE), ' +
        'thing AS (INSERT INTO things (tenant_id, id) SELECT $1, $3::uuid FROM held RETURNING id, size), ' +
        'words AS (INSERT INTO words (tenant_id, thing_id, word) SELECT $1, thing.id, w.word FROM thing, unnest($4::text[]) AS w (word)), ' +
        'counted AS (UPDATE counts c SET n = n + thing.size FROM thing WHERE c.tenant_id = $1) SELECT 1 FROM thing',
    );
    expect(create.inserts).toEqual(['things', 'words']);
  });

  it('is a statement for each part in steps, in the order in which PostgreSQL carries out the expressions', () => {
    expect(textsOf(create, values, found)).toEqual([
      ['held', 'SELECT 1 FROM types WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE'],
      ['thing', 'INSERT INTO things (tenant_id, id) VALUES ($1, $2::uuid) RETURNING id, size'],
      [
        'counted',
        'WITH thing AS (SELECT $2::uuid AS id, $3::bigint AS size) UPDATE counts c SET n = n + thing.size FROM thing WHERE c.tenant_id = $1',
      ],
      ['words', 'INSERT INTO words (tenant_id, thing_id, word) VALUES ($1, $2::uuid, unnest($3::text[]))'],
    ]);
    expect(create.steps?.result).toBe('thing');
  });

  it('passes on the rows of earlier parts', () => {
    const step = create.steps?.steps.find(({ part: name }) => name === 'words');
    const rows = new Map(Object.entries(found));
    expect(step?.query('ten_a', values, rows)).toMatchObject({
      name: 'test.create/words',
      values: ['ten_a', 'i', ['a', 'b']],
    });
  });

  it('omits the statements of parts that would do nothing', () => {
    const none = textsOf(create, values, { held: [] }).map(([, text]) => text !== undefined);
    expect(none).toEqual([true, false, false, false]);
    const wordless = textsOf(create, { ...values, words: [] }, found).map(([, text]) => text !== undefined);
    expect(wordless).toEqual([true, true, true, false]);
  });

  it('takes the tenant from its row if something is computed from elements', () => {
    const learn = write<{ words: readonly string[] }, never>()('test.learn', [
      insert(
        'learned',
        `INSERT INTO words (tenant_id, length, word)
      SELECT :tenantId, char_length(w.word), w.word
      FROM unnest(:words::text[]) AS w (word)
      ON CONFLICT DO NOTHING`,
        { computes: true },
      ),
    ]);
    expect(textsOf(learn, { words: ['a'] })).toEqual([
      [
        'learned',
        'INSERT INTO words (tenant_id, length, word) SELECT tenant.id, char_length(w.word), w.word ' +
          'FROM tenants AS tenant, unnest($2::text[]) AS w (word) WHERE tenant.id = $1 ON CONFLICT DO NOTHING',
      ],
    ]);
  });

  it('chooses between arrays by a column of an earlier part', () => {
    const choose = write<{ kept: readonly string[]; spam: readonly string[] }, never>()('test.choose', [
      part('thing', 'SELECT verdict FROM things WHERE tenant_id = :tenantId', { returns: { verdict: 'text' } }),
      insert(
        'named',
        `INSERT INTO names (tenant_id, place, name)
      SELECT :tenantId, v.place, v.name
      FROM thing, unnest(:kept::text[], CASE WHEN thing.verdict IS NULL THEN :kept::text[] ELSE :spam::text[] END) AS v (place, name)`,
      ),
    ]);
    expect(choose.text).toContain(
      'FROM thing, unnest($2::text[], CASE WHEN thing.verdict IS NULL THEN $2::text[] ELSE $3::text[] END) AS v (place, name)',
    );
    expect(textsOf(choose, { kept: ['a'], spam: ['?a'] }, { thing: [{ verdict: 'spam' }] })[1]).toEqual([
      'named',
      'INSERT INTO names (tenant_id, place, name) VALUES ($1, unnest($2::text[]), ' +
        'unnest(CASE WHEN $3::text IS NULL THEN $2::text[] ELSE $4::text[] END))',
    ]);
  });

  it('passes all rows of a part that may return several, and says whether another part had a row', () => {
    const remove = write<{ ids: readonly string[] }, { removed: number }>()('test.remove', [
      part('removed', 'DELETE FROM things WHERE tenant_id = :tenantId AND id = ANY (:ids::uuid[]) RETURNING id', {
        returns: { id: 'uuid' },
        isMany: true,
      }),
      part('late', 'SELECT 1 FROM things WHERE tenant_id = :tenantId'),
      part('result', 'SELECT count(*) AS removed FROM removed WHERE EXISTS (SELECT FROM late)', {
        reads: ['removed', 'late'],
      }),
    ]);
    const [, , result] = remove.steps!.steps;
    expect(result?.query('ten_a', { ids: [] }, new Map([['removed', [{ id: 'a' }, { id: 'b' }]]]))).toMatchObject({
      text:
        'WITH removed AS (SELECT * FROM unnest($1::uuid[]) AS removed (id)), late AS (SELECT 1 WHERE $2::boolean) ' +
        'SELECT count(*) AS removed FROM removed WHERE EXISTS (SELECT FROM late)',
      values: [['a', 'b'], false],
    });
  });

  it('may have a part that only one of the two forms has', () => {
    const numbered = part('numbered', `SELECT nextval('numbers') AS number`, { returns: { number: 'bigint' } });
    const one = write<object, never>()('test.number', [
      either(undefined, numbered),
      either(
        part('added', 'INSERT INTO things (tenant_id) SELECT :tenantId'),
        insert(
          'added',
          `INSERT INTO things (tenant_id, number)
      SELECT :tenantId, numbered.number
      FROM numbered`,
        ),
      ),
    ]);
    expect(one.text).toBe('INSERT INTO things (tenant_id) SELECT $1');
    expect(textsOf(one, {}, { numbered: [{ number: 5 }] })).toEqual([
      ['numbered', `SELECT nextval('numbers') AS number`],
      ['added', 'INSERT INTO things (tenant_id, number) VALUES ($1, $2::bigint)'],
    ]);
  });

  it('takes an INSERT apart at the words of its clauses, not of texts and expressions in parentheses', () => {
    const things = insert(
      'added',
      `INSERT INTO things AS t (tenant_id, kind, parts, other) SELECT :tenantId, 'FROM', (SELECT count(*) FROM parts), :id IS DISTINCT FROM :other
        FROM held, unnest(:names::text[], coalesce(:sizes::int[], '{}')) AS v (name, size)
        WHERE :given::text[] IS NOT NULL ORDER BY v.name ON CONFLICT (id) DO UPDATE SET kind = t.kind WHERE t.parts > 0 RETURNING id`,
    );
    expect(things).toMatchObject({ of: 'held', needs: ['names', 'given'] });
    expect(things.alone(new Map([['held', held]]))).toBe(
      "INSERT INTO things AS t (tenant_id, kind, parts, other) VALUES (:tenantId, 'FROM', (SELECT count(*) FROM parts), " +
        ':id IS DISTINCT FROM :other) ON CONFLICT (id) DO UPDATE SET kind = t.kind WHERE t.parts > 0 RETURNING id',
    );
  });

  it.each([
    'UPDATE things SET id = :id WHERE tenant_id = :tenantId',
    'INSERT INTO things (tenant_id) SELECT tenant_id FROM held JOIN others ON true',
    'INSERT INTO things (tenant_id) SELECT :tenantId FROM held, others',
    'INSERT INTO things (tenant_id) SELECT :tenantId FROM held WHERE held.id > 0',
    'INSERT INTO things (tenant_id) VALUES (:tenantId), (:tenantId)',
  ])('refuses an INSERT that has another form on a distributed database: %s', (text) => {
    expect(() => insert('added', text)).toThrow('Not an INSERT that a write can contain');
  });

  it('with wrong names does not compile', () => {
    // @ts-expect-error -- misspelt in a part
    write<{ id: string }, never>()('test.wrong_write_0', [
      part('a', 'DELETE FROM things WHERE tenant_id = :tenantId AND id = :ids'),
    ]);
    // @ts-expect-error -- not used in any part
    write<{ id: string }, never>()('test.wrong_write_1', [part('a', 'DELETE FROM things WHERE tenant_id = :tenantId')]);
  });

  it('that uses what is not a part, or not returned, is refused', () => {
    expect(() => write<object, never>()('test.lost', [part('a', 'SELECT :tenantId FROM b', { of: 'b' })])).toThrow(
      'The part a of the write test.lost uses b, which is not a part.',
    );
    expect(() =>
      write<object, never>()('test.mute', [
        part('b', 'SELECT :tenantId::text'),
        insert(
          'a',
          `INSERT INTO things (tenant_id, id)
      SELECT :tenantId, b.id
      FROM b`,
        ),
      ]),
    ).toThrow('The part b does not declare that it returns id.');
  });
});

import pg from 'pg';
import { SolutionRetention } from '../../src/forms/spam/solution-retention.js';
import { PublicUrl } from '../../src/http/public-url.js';
import { firstUuidOf, parseId } from '../../src/ids/type-id.js';
import { startApp, type Http, type TestApp, type TestTenant } from '../support/app.js';
import { itOnPlain } from '../support/it-on-plain.js';
import { cheapProof, proofOf, solve, timeToken } from '../support/challenges.js';
import { ACTIVITY } from '../support/citus.js';
import { until } from '../support/until.js';
import { BOUNDARY, multipart } from '../support/upload.js';

const FIELDS = [
  { name: 'name', type: 'text' },
  { name: 'message', type: 'textarea' },
  { name: 'site', type: 'url' },
  { name: 'agree', type: 'checkbox' },
];
const REASONS = ['honeypot', 'too_fast', 'links', 'blocked_word', 'duplicate', 'challenge'] as const;
const ALL = {
  honeypot: 'website',
  min_seconds: 60,
  max_links: 1,
  blocked_words: ['casino', 'buy now'],
  duplicates_within: 3_600,
  challenge: true,
};

describe('spam', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  let addresses = 0;
  const visitor = (of = app): Http =>
    of.client(undefined, { 'X-Forwarded-For': `10.${(++addresses >> 8) & 255}.${addresses & 255}.9` });

  async function newForm(spam: object | undefined, tenant: Pick<TestTenant, 'id' | 'http'> = app.tenant()) {
    const body = {
      name: 'Contact',
      fields: FIELDS,
      notify_email: 'office@acme.example',
      ...(spam && { settings: { spam } }),
    };
    const response = await tenant.http.post(`/v1/forms/${tenant.id}`, body);
    expect([response.status, response.body.errors]).toEqual([201, undefined]);
    const id = response.body.data.id as string;
    const path = `/v1/forms/${tenant.id}/${id}`;
    return { tenant, id, path, submissions: `${path}/submissions`, tenantId: tenant.id, formId: id };
  }
  type NewForm = Awaited<ReturnType<typeof newForm>>;

  async function submit(form: NewForm, fields: object, of = app): Promise<string> {
    const response = await visitor(of).post(form.submissions, { fields });
    expect([response.status, response.body.errors]).toEqual([201, undefined]);
    expect(Object.keys(response.body.data)).toEqual(['id', 'form_id', 'fields', 'created_at']);
    return response.body.data.id as string;
  }
  const full = async (form: NewForm, id: string) => (await form.tenant.http.get(`${form.submissions}/${id}`)).body.data;
  /** The reasons of a new submission; undefined if it is ok. */
  async function reasonsOf(form: NewForm, fields: object): Promise<string[] | undefined> {
    const { verdict, reasons } = await full(form, await submit(form, fields));
    expect(verdict).toBe(reasons.length > 0 ? 'spam' : 'ok');
    return reasons.length > 0 ? reasons : undefined;
  }
  const list = async (form: NewForm, query = '') => {
    const { body } = await form.tenant.http.get(`${form.submissions}?${query}`).expect(200);
    return { ids: body.data.map(({ id }: { id: string }) => id) as string[], total: body.meta.total as number };
  };
  const countOf = async ({ tenant, id }: NewForm) => {
    const { body } = await tenant.http.get(`/v1/forms/${tenant.id}`).expect(200);
    return body.data.find((form: { id: string }) => form.id === id).submission_count as number;
  };
  const submittedEvents = async ({ tenant }: NewForm) =>
    (await tenant.http.get(`/v1/events/${tenant.id}?per_page=100`).expect(200)).body.data.filter(
      ({ type }: { type: string }) => type === 'form.submitted',
    );
  const mailsOf = ({ tenant }: NewForm) =>
    app.database.query<{ submission_id: string; status: string }>('SELECT * FROM mails WHERE tenant_id = $1', [
      tenant.id,
    ]);
  const counters = async ({ tenant }: NewForm) => {
    const [row] = await app.database.query<{ ok: number; spam: number; sections: string[] }>(
      `SELECT (SELECT sum(submissions)::int FROM submission_counts WHERE tenant_id = $1) AS ok,
        (SELECT sum(spam)::int FROM submission_counts WHERE tenant_id = $1) AS spam,
        (SELECT array_agg(field ORDER BY field) FROM submission_values WHERE tenant_id = $1) AS sections`,
      [tenant.id],
    );
    return row;
  };

  describe('verdicts', () => {
    it('have exactly the reasons that apply, for every combination', async () => {
      const form = await newForm(ALL);
      for (let bits = 0; bits < 1 << REASONS.length; bits++) {
        const expected = REASONS.filter((_reason, index) => (bits >> index) & 1);
        const has = (reason: (typeof REASONS)[number]) => expected.includes(reason);
        const fields = {
          name: `Ada ${bits}`,
          site: 'https://www.acme.example',
          message: `${has('links') ? 'http://a.example www.b.example' : 'https://www.a.example'} ${has('blocked_word') ? 'CASÍNO!' : 'casinos'}`,
          agree: 'true',
        };
        const own = async () => ({
          ...(has('honeypot') && { website: 'x' }),
          _t: timeToken(app, form, has('too_fast') ? 59 : 61),
          ...(!has('challenge') && { _altcha: await cheapProof(app, form) }),
        });
        if (has('duplicate')) await submit(form, fields);
        const id = await submit(form, { ...fields, ...(await own()) });
        const { verdict, reasons, fields: stored } = await full(form, id);
        expect({ reasons, stored }).toEqual({ reasons: expected, stored: fields });
        expect(verdict).toBe(expected.length > 0 ? 'spam' : 'ok');
      }
    });

    it('are ok without settings, and `_t` and `_altcha` are never stored', async () => {
      const form = await newForm(undefined);
      const fields = { name: 'Ada' };
      for (const own of [{}, { _t: 'x', _altcha: 'y' }, { _t: { a: 1 }, _altcha: [1] }, { _t: null }]) {
        const id = await submit(form, { ...fields, ...own });
        expect(await full(form, id)).toMatchObject({ verdict: 'ok', reasons: [], fields });
      }
      const { body } = await visitor()
        .post(form.submissions, { fields: { website: 'x', _t: 'x', _x: 'y' } })
        .expect(422);
      expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['fields.website', 'fields._x']);
    });

    it('are reached only after the values are valid', async () => {
      const form = await newForm(ALL);
      const proof = await cheapProof(app, form);
      const own = { website: '', _t: timeToken(app, form, 61), _altcha: proof };
      await visitor()
        .post(form.submissions, { fields: { site: 'nope', ...own } })
        .expect(422);
      expect(await reasonsOf(form, { name: 'a', ...own })).toBeUndefined();
    });

    it('honeypot: any value that is not blank, of any type', async () => {
      const form = await newForm({ honeypot: 'website' });
      for (const website of ['', '  \n', null]) expect(await reasonsOf(form, { name: 'a', website })).toBeUndefined();
      for (const website of ['x', 0, false, {}, ['']]) {
        expect(await reasonsOf(form, { name: 'a', website })).toEqual(['honeypot']);
      }
    });

    it('honeypot: a field of the form is an ordinary one that must be blank', async () => {
      const form = await newForm({ honeypot: 'name' });
      expect(await reasonsOf(form, { message: 'a', name: '' })).toBeUndefined();
      const id = await submit(form, { name: 'x' });
      expect(await full(form, id)).toMatchObject({ reasons: ['honeypot'], fields: { name: 'x' } });
      await visitor()
        .post(form.submissions, { fields: { name: 5 } })
        .expect(422);
      const checkbox = await newForm({ honeypot: 'agree' });
      expect(await reasonsOf(checkbox, { agree: 'false' })).toBeUndefined();
      expect(await reasonsOf(checkbox, { agree: 'true' })).toEqual(['honeypot']);
    });

    /** Tokens that say nothing about the time that a visitor needed. */
    const worthless = (form: NewForm, other: NewForm) => [
      undefined,
      '',
      'x',
      timeToken(app, other, 61),
      timeToken(app, form, 100_000),
    ];
    /** Sends the values in each of the ways in which a form can be sent, and returns the reasons of each. */
    async function reasonsInEveryWay(form: NewForm, values: Record<string, string | undefined>) {
      const sent = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
      const parts = Object.entries(sent).map(([name, value = '']) => ({ name, data: value }));
      const ways = [
        ['application/json', JSON.stringify({ fields: sent })],
        ['application/x-www-form-urlencoded', new URLSearchParams(sent as Record<string, string>).toString()],
        [`multipart/form-data; boundary=${BOUNDARY}`, multipart(parts)],
      ] as const;
      const reasons: string[][] = [];
      for (const [type, body] of ways) {
        const response = await visitor().post(form.submissions).set('Content-Type', type).send(body);
        expect([response.status, response.body.errors]).toEqual([201, undefined]);
        reasons.push((await full(form, response.body.data.id as string)).reasons as string[]);
      }
      return reasons;
    }

    it('too_fast: a submission without a valid token is not too fast, in whatever way it is sent', async () => {
      const form = await newForm({ min_seconds: 60 });
      const other = await newForm({ min_seconds: 60 }, form.tenant);
      for (const _t of worthless(form, other)) {
        expect(await reasonsInEveryWay(form, { name: 'a', _t })).toEqual([[], [], []]);
      }
      expect(await reasonsOf(form, { name: 'a', _t: 5 })).toBeUndefined();
      const young = { name: 'a', _t: timeToken(app, form, 59) };
      expect(await reasonsInEveryWay(form, young)).toEqual([['too_fast'], ['too_fast'], ['too_fast']]);
      expect(await reasonsOf(form, { name: 'a', _t: timeToken(app, form, -30) })).toEqual(['too_fast']);
      const { body } = await visitor().get(`${form.path}/challenge`).expect(200);
      for (let times = 0; times < 2; times++) {
        expect(await reasonsOf(form, { name: 'a', _t: body._t })).toEqual(['too_fast']);
      }
    });

    it('too_fast: with require_token, a submission without a valid token is spam, in whatever way it is sent', async () => {
      for (const spam of [{ require_token: true }, { require_token: true, min_seconds: 60 }]) {
        const form = await newForm(spam);
        const other = await newForm(spam, form.tenant);
        for (const _t of worthless(form, other)) {
          const missing = ['too_fast'];
          expect(await reasonsInEveryWay(form, { name: 'a', _t })).toEqual([missing, missing, missing]);
        }
        const old = { name: 'a', _t: timeToken(app, form, 61) };
        expect(await reasonsInEveryWay(form, old)).toEqual([[], [], []]);
        const young = { name: 'a', _t: timeToken(app, form, 59) };
        expect(await reasonsOf(form, young)).toEqual('min_seconds' in spam ? ['too_fast'] : undefined);
        const page = await visitor().get(`/f/${form.tenantId}/contact`).expect(200);
        expect(page.text).toContain('name="_t"');
      }
    });

    it('a form warns its owner of submissions whose time is unknown, and only then', async () => {
      const form = await newForm({ min_seconds: 60 });
      const read = async () => {
        const [one, stats, forms] = await Promise.all(
          [form.path, `${form.path}/stats`, `/v1/forms/${form.tenantId}`].map((path) => form.tenant.http.get(path)),
        );
        expect(forms?.body.warnings).toBeUndefined();
        expect(stats?.body.warnings).toEqual(one?.body.warnings);
        expect(Object.keys(one?.body.data)).not.toContain('warnings');
        return one?.body.warnings as { code: string; message: string }[] | undefined;
      };
      await submit(form, { name: 'a', _t: timeToken(app, form, 61) });
      await submit(form, { name: 'a', _t: timeToken(app, form, 1) });
      expect(await read()).toBeUndefined();
      await submit(form, { name: 'a' });
      const [first, ...others] = (await read()) ?? [];
      expect(others).toEqual([]);
      const script = `<script src="${app.get(PublicUrl).base}/f/token.js"></script>`;
      expect(first).toEqual({
        code: 'time_unknown',
        message:
          '1 submission of the last 7 days came without a valid time token (_t), so min_seconds could not be checked. ' +
          `To send it, add ${script} to the page of the form.`,
      });
      await form.tenant.http.patch(form.path, { settings: { spam: { require_token: true } } }).expect(200);
      await submit(form, { name: 'a' });
      expect(await read()).toMatchObject([
        {
          code: 'too_fast',
          message: expect.stringMatching(/^2 submissions .*\. With require_token, that is spam \(too_fast\)\./),
        },
      ]);
      const later = firstUuidOf(new Date(Date.now() - 8 * 86_400_000)).slice(0, 19);
      await app.database.query(`UPDATE submissions SET id = ($2 || right(id::text, 17))::uuid WHERE tenant_id = $1`, [
        form.tenantId,
        later,
      ]);
      expect(await read()).toBeUndefined();
      await submit(form, { name: 'b' });
      await form.tenant.http.patch(form.path, { settings: { spam: null } }).expect(200);
      expect(await read()).toBeUndefined();
    });

    it('a form warns its owner of submissions without a solved challenge, and only then', async () => {
      const form = await newForm({ challenge: true, max_links: 0 });
      const read = async () => {
        const [one, stats] = await Promise.all(
          [form.path, `${form.path}/stats`].map((path) => form.tenant.http.get(path).expect(200)),
        );
        expect(stats?.body.warnings).toEqual(one?.body.warnings);
        return one?.body.warnings as { code: string; message: string }[] | undefined;
      };
      await submit(form, { name: 'a', _altcha: await cheapProof(app, form) });
      await submit(form, { name: 'www.x.example', _altcha: await cheapProof(app, form) });
      expect(await read()).toBeUndefined();
      await submit(form, { name: 'a' });
      await submit(form, { name: 'www.x.example' });
      const script = `<script src="${app.get(PublicUrl).base}/f/token.js"></script>`;
      const challenge = {
        code: 'challenge',
        message:
          '2 submissions of the last 7 days came without a solved challenge (_altcha), which is spam (challenge). ' +
          `If visitors send the form from a page of your own, add ${script} to it, which solves the challenge.`,
      };
      expect(await read()).toEqual([challenge]);
      await form.tenant.http.patch(form.path, { settings: { spam: { challenge: true, min_seconds: 60 } } }).expect(200);
      await submit(form, { name: 'a', _altcha: await cheapProof(app, form) });
      expect(await read()).toMatchObject([{ code: 'time_unknown' }, challenge]);
      await form.tenant.http.patch(form.path, { settings: { spam: null } }).expect(200);
      expect(await read()).toBeUndefined();
    });

    it('duplicate: an equal submission of the window, also one from before the setting, and spam', async () => {
      const form = await newForm(undefined);
      await submit(form, { name: 'before', message: 'b' });
      await form.tenant.http
        .patch(form.path, { settings: { spam: { duplicates_within: 3_600, max_links: 0 } } })
        .expect(200);
      expect(await reasonsOf(form, { message: 'b', name: 'before' })).toEqual(['duplicate']);
      expect(await reasonsOf(form, { name: 'before' })).toBeUndefined();
      expect(await reasonsOf(form, { name: 'www.x.example' })).toEqual(['links']);
      expect(await reasonsOf(form, { name: 'www.x.example' })).toEqual(['links', 'duplicate']);
      for (const [seconds, expected] of [
        [3_590, ['duplicate']],
        [3_610, undefined],
      ] as const) {
        const again = await newForm({ duplicates_within: 3_600 }, form.tenant);
        await submit(again, { name: 'a' });
        const id = firstUuidOf(new Date(Date.now() - seconds * 1_000));
        await app.database.query('UPDATE submissions SET id = $3 WHERE tenant_id = $1 AND form_id = $2', [
          form.tenantId,
          parseId('frm', again.id),
          id,
        ]);
        expect(await reasonsOf(again, { name: 'a' })).toEqual(expected);
      }
    });

    itOnPlain('duplicate: an equal submission that is committed while the statement waits for it', async () => {
      const form = await newForm({ duplicates_within: 60 });
      const formId = parseId('frm', form.id);
      const moveTo = (secondsAgo: number): [string, unknown[]] => [
        'UPDATE submissions SET id = $2 WHERE form_id = $1',
        [formId, firstUuidOf(new Date(Date.now() - secondsAgo * 1_000))],
      ];
      for (const headers of [{}, { 'Idempotency-Key': 'once' }]) {
        await app.database.query('DELETE FROM submissions WHERE form_id = $1', [formId]);
        await submit(form, { name: 'a' });
        await app.database.query(...moveTo(120));
        const other = new pg.Client(app.database.url);
        await other.connect();
        try {
          await other.query('BEGIN');
          await other.query('UPDATE digest_slots SET changes = changes + 1 WHERE form_id = $1', [formId]);
          await other.query(...moveTo(1));
          const sent = visitor()
            .post(form.submissions, { fields: { name: 'a' } })
            .set(headers)
            .expect(201);
          const [{ body }] = await Promise.all([sent, untilOneWaits().then(() => other.query('COMMIT'))]);
          expect(await full(form, body.data.id)).toMatchObject({ reasons: ['duplicate'] });
        } finally {
          await other.end();
        }
      }
    });
    const untilOneWaits = () =>
      until(async () => {
        const rows = await app.database.query(
          `SELECT FROM ${ACTIVITY} WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });

    it('duplicate: exactly one of 50 equal ones at once is ok, also over two processes', async () => {
      const key = 'key-of-two';
      const env = {
        TENANTS: JSON.stringify([{ id: 'ten_two', name: 'Two', api_keys: [{ name: 'only', key }] }]),
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      };
      const first = await startApp(env, { database: app.database });
      const second = await startApp({ ...env, ROLE: 'api' }, { database: app.database });
      try {
        const tenant = { id: 'ten_two', http: first.client(`Bearer ${key}`) };
        const form = await newForm({ duplicates_within: 60, challenge: true }, tenant);
        const proof = await cheapProof(first, form);
        const verdictsOf = async (fields: object[]) => {
          const ids = await Promise.all(fields.map((one, index) => submit(form, one, index % 2 ? first : second)));
          const all = await Promise.all(ids.map((id) => full(form, id)));
          return all.map(({ reasons }: { reasons: string[] }) => reasons.join());
        };
        const proofs = await Promise.all(Array.from({ length: 50 }, () => cheapProof(second, form)));
        const equal = await verdictsOf(proofs.map((_altcha) => ({ name: 'Ada', _altcha })));
        expect(equal.sort()).toEqual(['', ...Array.from({ length: 49 }, () => 'duplicate')]);
        const same = await verdictsOf(
          Array.from({ length: 20 }, (_value, index) => ({ name: `${index}`, _altcha: proof })),
        );
        expect(same.sort()).toEqual(['', ...Array.from({ length: 19 }, () => 'challenge')]);
        expect(await list(form)).toMatchObject({ total: 2 });
      } finally {
        await first.close();
        await second.close();
      }
    });
  });

  describe('a challenge', () => {
    it('is solved by the library of ALTCHA, counts once, and is for one form', async () => {
      const form = await newForm({ challenge: true });
      const { body, headers } = await visitor().get(`${form.path}/challenge`).expect(200);
      expect(headers['cache-control']).toBe('no-store');
      expect(Object.keys(body)).toEqual(['parameters', 'signature', 'required', '_t']);
      expect(body.required).toBe(true);
      const { _t, ...challenge } = body;
      const proof = await solve(challenge);
      const other = await newForm({ challenge: true }, form.tenant);
      expect(await reasonsOf(other, { name: 'a', _altcha: proof })).toEqual(['challenge']);
      expect(await reasonsOf(form, { name: 'a', _t, _altcha: proof })).toBeUndefined();
      expect(await reasonsOf(form, { name: 'b', _altcha: proof })).toEqual(['challenge']);
    });

    it('is refused if it is missing, expired, changed or nonsense', async () => {
      const form = await newForm({ challenge: true });
      const valid = await cheapProof(app, form);
      const { challenge, solution } = JSON.parse(Buffer.from(valid, 'base64').toString());
      const { parameters, signature } = challenge;
      const wrong: unknown[] = [
        undefined,
        '',
        5,
        { challenge, solution },
        '====',
        'x'.repeat(100_000),
        await cheapProof(app, form, new Date(Date.now() - 1_000)),
        ...[null, 5, 'x', [], {}, { challenge: {} }].map((value) =>
          Buffer.from(JSON.stringify(value)).toString('base64'),
        ),
        proofOf({ parameters, signature: 'x' }, solution),
        proofOf({ parameters, signature: signature.toUpperCase() }, solution),
        proofOf({ parameters, signature: `${signature} ` }, solution),
        proofOf({ parameters: { ...parameters, x: {} }, signature }, solution),
        proofOf({ parameters, signature: { length: 64 } }, solution),
        proofOf({ parameters: { ...parameters, expiresAt: 4_000_000_000 }, signature }, solution),
        proofOf({ parameters: null, signature }, solution),
        proofOf(challenge, { ...solution, derivedKey: 'ab' }),
        proofOf(challenge, { ...solution, derivedKey: 5 }),
        proofOf(challenge, null),
        proofOf(challenge, { counter: {}, derivedKey: solution.derivedKey }),
      ];
      for (const _altcha of wrong) expect(await reasonsOf(form, { name: 'a', _altcha })).toEqual(['challenge']);
      expect(await reasonsOf(form, { name: 'a', _altcha: valid })).toBeUndefined();
    });

    it('is given for an ID and a slug, 404 for others, and 429 after 60 a minute', async () => {
      const form = await newForm(undefined);
      await visitor().get(`/v1/forms/${form.tenantId}/contact/challenge`).expect(200);
      for (const path of [`${form.tenantId}/nothing`, `${form.tenantId}/No%20name`, `ten_nobody/${form.id}`]) {
        await visitor().get(`/v1/forms/${path}/challenge`).expect(404);
      }
      await visitor().get(`${form.path}/challenge?x=1`).expect(400);
      const one = visitor();
      for (let times = 0; times < 60; times++)
        await one.get(`/v1/forms/${form.tenantId}/nothing/challenge`).expect(404);
      const { headers } = await one.get(`${form.path}/challenge`).expect(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    });

    it('that expired is removed from the table of used ones', async () => {
      const form = await newForm({ challenge: true });
      await app.database.query(
        `INSERT INTO challenge_solutions (tenant_id, expires_at, id)
          SELECT $1, now() - n * interval '10 minutes', gen_random_uuid() FROM generate_series(1, 15) AS n`,
        [form.tenantId],
      );
      expect(await reasonsOf(form, { name: 'a', _altcha: await cheapProof(app, form) })).toBeUndefined();
      await app.get(SolutionRetention).prune();
      const rows = await app.database.query('SELECT FROM challenge_solutions WHERE tenant_id = $1', [form.tenantId]);
      expect(rows).toHaveLength(1);
    });
  });

  describe('a spam submission', () => {
    it('is in no list, no count, no event and no email', async () => {
      const form = await newForm({ honeypot: 'website' });
      const spam = await submit(form, { name: 'a', website: 'x' });
      const ok = await submit(form, { name: 'b' });
      for (const query of ['', 'sort=created_at', 'sort=name', 'sort=-name', 'sort=message', 'sort=-id&per_page=1']) {
        expect(await list(form, query)).toEqual({ ids: [ok], total: 1 });
      }
      const walked = await form.tenant.http.get(`${form.submissions}?cursor=&sort=name`).expect(200);
      expect(walked.body.data.map(({ id }: { id: string }) => id)).toEqual([ok]);
      expect(await countOf(form)).toBe(1);
      await until(async () => (await mailsOf(form)).length === 1);
      expect(await mailsOf(form)).toMatchObject([{ submission_id: parseId('sub', ok) }]);
      expect(await submittedEvents(form)).toMatchObject([{ data: { id: ok } }]);
      expect(await full(form, spam)).toMatchObject({ verdict: 'spam', reasons: ['honeypot'], state: 'new' });
    });

    it('is read through an index of its own, so that a million of them cost a list nothing', async () => {
      const form = await newForm({ honeypot: 'website' });
      const ok = await submit(form, { name: 'b' });
      const formId = parseId('frm', form.id) ?? '';
      await app.database.query(
        `INSERT INTO submissions (tenant_id, form_id, id, fields, verdict, created_at)
          SELECT $1, $2, gen_random_uuid(), '{}', 'spam', now() FROM generate_series(1, 20000)`,
        [form.tenantId, formId],
      );
      await app.database.query('ANALYZE submissions');
      expect((await list(form)).ids).toEqual([ok]);
      const plan = await app.database.query<object>(
        `EXPLAIN (ANALYZE, FORMAT JSON) SELECT id FROM submissions
          WHERE tenant_id = $1 AND form_id = $2 AND verdict IS NULL ORDER BY id DESC LIMIT 25`,
        [form.tenantId, formId],
      );
      expect(JSON.stringify(plan)).toContain('submissions_ok');
      expect(JSON.stringify(plan)).not.toMatch(/"Rows Removed by (Filter|Index Recheck)": [1-9]\d/);
    });

    it('is released once: one event, one set of emails, exact counts', async () => {
      const form = await newForm({ honeypot: 'website' });
      const id = await submit(form, { name: 'a', website: 'x' });
      expect(await counters(form)).toEqual({ ok: 0, spam: 1, sections: ['?!agree', '?!message', '?!site', '?name'] });
      const path = `${form.submissions}/${id}`;
      const before = new Date().toISOString();
      const all = await Promise.all(Array.from({ length: 10 }, () => form.tenant.http.post(`${path}/release`)));
      for (const { status, body } of all) {
        expect([status, body.data.verdict, body.data.reasons]).toEqual([200, 'ok', ['honeypot']]);
      }
      expect(all[0]?.body.data).toEqual(await full(form, id));
      const [event, ...others] = await submittedEvents(form);
      expect(others).toEqual([]);
      expect(event.data).toEqual((await form.tenant.http.get(form.submissions)).body.data[0]);
      expect(event.timestamp >= before).toBe(true);
      await until(async () => (await mailsOf(form)).length === 1);
      expect(await counters(form)).toEqual({ ok: 1, spam: 0, sections: ['!agree', '!message', '!site', 'name'] });
      expect(await list(form, 'sort=name')).toEqual({ ids: [id], total: 1 });

      await form.tenant.http.post(`${path}/mark-spam`).expect(200);
      await form.tenant.http.post(`${path}/mark-spam`).expect(200);
      expect(await counters(form)).toEqual({ ok: 0, spam: 1, sections: ['?!agree', '?!message', '?!site', '?name'] });
      expect(await list(form)).toEqual({ ids: [], total: 0 });
      await form.tenant.http.post(`${path}/release`).expect(200);
      expect(await submittedEvents(form)).toHaveLength(1);
      expect(await countOf(form)).toBe(1);
      await form.tenant.http.post(`${path}/mark-spam`).expect(200);
      await form.tenant.http.delete(path).expect(200);
      expect(await counters(form)).toEqual({ ok: 0, spam: 0, sections: null });
      expect(await submittedEvents(form)).toMatchObject([{ data: null }]);
      await form.tenant.http.post(`${path}/release`).expect(404);
    });

    it('is stored apart from others that arrive at the same time', async () => {
      const form = await newForm({ ...ALL, duplicates_within: 60, min_seconds: 1, challenge: true });
      const proofs = await Promise.all(Array.from({ length: 30 }, () => cheapProof(app, form)));
      const fieldsOf = (index: number) => ({
        name: `${index}`,
        ...(index % 3 > 0 && { _altcha: proofs[index] }),
        ...(index % 5 === 0 && { message: 'Casino', website: 'x' }),
      });
      const ids = await Promise.all(proofs.map((_proof, index) => submit(form, fieldsOf(index))));
      const stored = await Promise.all(ids.map((id) => full(form, id)));
      expect(stored.map(({ fields, reasons }) => ({ fields, reasons }))).toEqual(
        ids.map((_id, index) => ({
          fields: { name: `${index}`, ...(index % 5 === 0 && { message: 'Casino' }) },
          reasons: [...(index % 5 === 0 ? ['honeypot', 'blocked_word'] : []), ...(index % 3 > 0 ? [] : ['challenge'])],
        })),
      );
      const ok = stored.filter(({ verdict }) => verdict === 'ok').map(({ id }: { id: string }) => id);
      expect(ok).toHaveLength(16);
      expect(await counters(form)).toMatchObject({ ok: 16, spam: 14 });
      expect((await list(form, 'per_page=100')).ids.sort()).toEqual(ok.sort());
      expect((await list(form, 'verdict=spam&sort=name&per_page=100')).total).toBe(14);
      const events = await submittedEvents(form);
      expect(events.map(({ data }: { data: { id: string } }) => data.id).sort()).toEqual(ok.sort());
    });

    it('is marked while others are released, and the counts stay exact', async () => {
      const form = await newForm({ honeypot: 'website' });
      const ids = await Promise.all(
        Array.from({ length: 8 }, (_value, index) =>
          submit(form, { name: `${index}`, ...(index % 2 && { website: 'x' }) }),
        ),
      );
      await Promise.all(
        ids.flatMap((id, index) => [
          form.tenant.http.post(`${form.submissions}/${id}/${index % 2 ? 'release' : 'mark-spam'}`).expect(200),
          form.tenant.http.post(`${form.submissions}/${id}/${index % 3 ? 'release' : 'mark-spam'}`).expect(200),
        ]),
      );
      const verdicts = await Promise.all(ids.map(async (id) => (await full(form, id)).verdict as string));
      const ok = verdicts.filter((verdict) => verdict === 'ok').length;
      expect(await counters(form)).toMatchObject({ ok, spam: 8 - ok });
      expect(await list(form, 'sort=name')).toMatchObject({ total: ok });
      expect((await list(form, 'sort=name')).ids).toHaveLength(ok);
    });

    it('of a form whose fields change meanwhile has its rows in the right sections', async () => {
      const form = await newForm({ honeypot: 'website' });
      const id = await submit(form, { name: 'a', website: 'x' });
      const fields = [
        { name: 'name', type: 'textarea' },
        { name: 'age', type: 'text' },
      ];
      await form.tenant.http.patch(form.path, { fields }).expect(200);
      await form.tenant.http.post(`${form.submissions}/${id}/release`).expect(200);
      expect((await counters(form))?.sections?.filter((name) => name.startsWith('?'))).toEqual([]);
      expect(await list(form, 'sort=age')).toEqual({ ids: [id], total: 1 });
      expect(await list(form, 'sort=name')).toEqual({ ids: [id], total: 1 });
    });
  });

  describe('release and mark-spam', () => {
    it('require a key that may write, and are 404 for other submissions', async () => {
      const form = await newForm(undefined);
      const id = await submit(form, { name: 'a' });
      const other = await newForm(undefined, form.tenant);
      for (const action of ['release', 'mark-spam']) {
        await visitor().post(`${form.submissions}/${id}/${action}`).expect(401);
        await app.tenant().http.post(`${form.submissions}/${id}/${action}`).expect(403);
        await form.tenant.http.post(`${other.submissions}/${id}/${action}`).expect(404);
        await form.tenant.http.post(`${form.submissions}/nope/${action}`).expect(404);
      }
      expect(await countOf(form)).toBe(1);
    });
  });

  it('does not send an email that was not sent yet when its submission was marked', async () => {
    const form = await newForm(undefined);
    const id = await submit(form, { name: 'a' });
    await until(async () => (await mailsOf(form)).length === 1);
    await app.database.query(
      `UPDATE mails SET status = 'pending', next_attempt_at = now() + interval '1 hour', finished_at = NULL WHERE tenant_id = $1`,
      [form.tenantId],
    );
    await form.tenant.http.post(`${form.submissions}/${id}/mark-spam`).expect(200);
    await app.database.query(`UPDATE mails SET next_attempt_at = now() WHERE tenant_id = $1`, [form.tenantId]);
    const [mail] = await until(async () => {
      const rows = await mailsOf(form);
      return rows[0]?.status !== 'pending' && rows;
    });
    expect(['failed', 'canceled']).toContain(mail?.status);
  });
});

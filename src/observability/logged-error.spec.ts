import { QueryFailedError } from 'typeorm';
import { loggedError, withoutValues } from './logged-error.js';

const SECRET = 'hunter2';

describe('an error in the log', () => {
  it('contains the names that PostgreSQL reports, but no values', () => {
    const driverError = Object.assign(new Error('duplicate key value violates unique constraint "webhooks_url"'), {
      code: '23505',
      severity: 'ERROR',
      table: 'webhooks',
      constraint: 'webhooks_url',
      routine: '_bt_check_unique',
      detail: `Key (url)=(${SECRET}) already exists.`,
      where: `unnamed portal parameter $1 = '${SECRET}'`,
      hint: SECRET,
      internalQuery: SECRET,
    });
    const error = new QueryFailedError('INSERT INTO webhooks VALUES ($1)', [SECRET], driverError);

    const logged = loggedError(error);
    expect(logged).toMatchObject({
      type: 'QueryFailedError',
      message: 'duplicate key value violates unique constraint "webhooks_url"',
      code: '23505',
      table: 'webhooks',
      constraint: 'webhooks_url',
      routine: '_bt_check_unique',
    });
    expect(logged.stack?.[0]).toMatch(/^at .*logged-error\.spec/);
    expect(JSON.stringify(logged)).not.toContain(SECRET);
  });

  it.each([
    ['22P02', `invalid input syntax for type uuid: "${SECRET}"`, 'invalid input syntax for type uuid: "…"'],
    ['22P02', `invalid input syntax for type json: "a"${SECRET}"b"`, 'invalid input syntax for type json: "…"'],
    ['22P02', `invalid input syntax for type uuid: "${SECRET}`, 'invalid input syntax for type uuid: "…"'],
    ['42601', `syntax error in tsquery: "${SECRET}"`, 'syntax error in tsquery: "…"'],
    ['22003', `value "${SECRET}" is out of range for type integer`, 'value "…" is out of range for type integer'],
    ['42P01', 'relation "entries" does not exist', 'relation "entries" does not exist'],
  ])('masks the values that a message of PostgreSQL quotes (%s)', (code, message, masked) => {
    expect(loggedError(Object.assign(new Error(message), { code })).message).toBe(masked);
  });

  it('masks the text that a syntax error of JSON quotes', () => {
    const parse = () => JSON.parse(`{"password": ${SECRET}}`) as unknown;
    expect(parse).toThrow(SyntaxError);
    try {
      parse();
    } catch (error) {
      expect(JSON.stringify(loggedError(error))).not.toContain(SECRET);
    }
  });

  it('does not take a line of its message for a stack frame', () => {
    const { stack } = loggedError(new Error(`first\n    at ${SECRET} (file.ts:1:1)`));
    expect(JSON.stringify(stack)).not.toContain(SECRET);
    expect(stack?.length).toBeGreaterThan(0);
  });

  it('contains its causes and aggregated errors, up to a limit', () => {
    const cause = new Error(`at https://user:${SECRET}@example.com/hook?token=${SECRET}`);
    const error = new AggregateError([new Error('one', { cause })], 'several');
    expect(loggedError(error)).toMatchObject({
      message: 'several',
      errors: [{ message: 'one', cause: { message: 'at https://example.com' } }],
    });
    const loop = new Error('loop');
    loop.cause = loop;
    expect(JSON.stringify(loggedError(loop)).length).toBeLessThan(20_000);
  });

  it.each([undefined, null, SECRET, { password: SECRET }])(
    'does not contain the thrown value %p, which is not an error',
    (thrown) => {
      expect(JSON.stringify(loggedError(thrown))).not.toContain(SECRET);
    },
  );
});

describe('a message in the log', () => {
  it.each([
    ['550 <ada@example.com>: no such user', '550 <[address]>: no such user'],
    ['POST https://hooks.example:8443/T0/B1/x?y#z failed', 'POST https://hooks.example:8443 failed'],
    ['postgres://trivet:pw@db:5432/x is away', 'postgres://db:5432 is away'],
    ['connect ECONNREFUSED 127.0.0.1:6379', 'connect ECONNREFUSED 127.0.0.1:6379'],
    ['POST /v1/invitations/aB3_-x/options failed', 'POST /v1/invitations/…/options failed'],
    ['GET /v1/password-resets/aB3_-x?y=1', 'GET /v1/password-resets/…?y=1'],
    ['"/v1/preview/aB3_-x"', '"/v1/preview/…"'],
    ['/v1/oidc/corp/callback?code=4%2FaB&state=x.y&iss=z', '/v1/oidc/corp/callback?code=…&state=…&iss=z'],
    [`no session ${'tvs_'.padEnd(53, 'aB3_-')} here`, 'no session tvs_… here'],
    ['/console/invitation#aB3_-x is gone', '/console/invitation#… is gone'],
    ['/v1/invitations and /v1/content/ten_a/types', '/v1/invitations and /v1/content/ten_a/types'],
  ])('masks values: %s becomes %s', (text, expected) => {
    expect(withoutValues(text)).toBe(expected);
  });
});

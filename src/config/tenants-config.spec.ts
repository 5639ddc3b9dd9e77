import { createHash } from 'node:crypto';
import { describeWeakKeys, parseTenants } from './tenants-config.js';

const SHA = createHash('sha256').update('test-key').digest('hex');

const STRONG = '9f3c5b7a1d2e4f608b9c0d1e';
const hashed = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;
const SCOPES = ['*', 'read', 'write', 'forms:write'];

describe('parseTenants', () => {
  const acme = { id: 'ten_acme', name: 'Acme', api_keys: [{ key: 'test-key' }] };

  const problemsOf = (value: unknown): string[] => {
    const problems: string[] = [];
    parseTenants(typeof value === 'string' ? value : JSON.stringify(value), 'TENANTS', problems, SCOPES);
    return problems;
  };

  it('reads every property of a tenant', () => {
    const problems: string[] = [];
    const weakness = 'is the hash of a key that is guessed at once';
    const setting = {
      ...acme,
      api_keys: [
        { name: 'ci', key: `sha256:${SHA}`, scopes: ['read', 'forms:write'] },
        { key: '9f3c5b7a1d2e4f60-of-acme', allowed_origins: ['https://shop.example'] },
      ],
      allowed_origins: ['https://acme.example', 'http://localhost:8080', '*'],
      rate_limit: 600,
      contact_email: 'ops@acme.example',
      owners: ['ada@acme.example'],
      media: { signed_variants: true, strip_metadata: true },
      limits: { entries: 1000, media_bytes: Number.MAX_SAFE_INTEGER, webhooks: 0, requests_per_minute: 1 },
    };

    expect(parseTenants(JSON.stringify([setting]), 'TENANTS', problems, SCOPES)).toEqual([
      {
        id: 'ten_acme',
        name: 'Acme',
        apiKeys: [
          { name: 'ci', hash: Buffer.from(SHA, 'hex'), scopes: ['read', 'forms:write'], weakness },
          {
            name: 'key-2',
            hash: createHash('sha256').update('9f3c5b7a1d2e4f60-of-acme').digest(),
            scopes: ['*'],
            allowedOrigins: ['https://shop.example'],
          },
        ],
        allowedOrigins: ['https://acme.example', 'http://localhost:8080', '*'],
        rateLimit: 600,
        contactEmail: 'ops@acme.example',
        owners: ['ada@acme.example'],
        signedVariants: true,
        stripMetadata: true,
        limits: { entries: 1000, media_bytes: Number.MAX_SAFE_INTEGER, webhooks: 0, requests_per_minute: 1 },
      },
    ]);
    expect(problems).toEqual([]);
  });

  it('accepts a tenant without keys, and an empty list', () => {
    expect(problemsOf([{ ...acme, api_keys: [] }])).toEqual([]);
    expect(problemsOf([])).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['an invalid ID', [{ ...acme, id: 'ten_Acme' }], 'TENANTS[0].id must be'],
    ['a missing name', [{ ...acme, name: undefined }], 'TENANTS[0].name must be'],
    ['a blank name', [{ ...acme, name: '  ' }], 'TENANTS[0].name must be'],
    ['a missing list of keys', [{ ...acme, api_keys: undefined }], 'TENANTS[0].api_keys must be'],
    ['an object as the list of keys', [{ ...acme, api_keys: { ci: 'secret' } }], 'TENANTS[0].api_keys must be'],
    ['keys that are not objects', [{ ...acme, api_keys: ['secret'] }], 'TENANTS[0].api_keys must be'],
    ['a key that is a list', [{ ...acme, api_keys: [['secret']] }], 'TENANTS[0].api_keys must be'],
    ['an empty key', [{ ...acme, api_keys: [{ key: '' }] }], 'TENANTS[0].api_keys[0].key must be'],
    ['a key with a space', [{ ...acme, api_keys: [{ key: 'a secret' }] }], 'TENANTS[0].api_keys[0].key must be'],
    ['an incomplete hash', [{ ...acme, api_keys: [{ key: 'sha256:abc' }] }], 'TENANTS[0].api_keys[0].key must be'],
    [
      'an unknown scope',
      [{ ...acme, api_keys: [{ key: 'k', scopes: ['read', 'all'] }] }],
      'api_keys[0].scopes must contain only',
    ],
    [
      'an empty list of scopes',
      [{ ...acme, api_keys: [{ key: 'k', scopes: [] }] }],
      'api_keys[0].scopes must contain at least one',
    ],
    ['null as the list of scopes', [{ ...acme, api_keys: [{ key: 'k', scopes: null }] }], 'api_keys[0].scopes must'],
    [
      'an origin with a path',
      [{ ...acme, allowed_origins: ['https://a.example/'] }],
      'TENANTS[0].allowed_origins must',
    ],
    [
      'an origin of a key with a path',
      [{ ...acme, api_keys: [{ key: 'k', allowed_origins: ['https://a.example/'] }] }],
      'TENANTS[0].api_keys[0].allowed_origins must',
    ],
    ['a fractional limit', [{ ...acme, rate_limit: 0.5 }], 'TENANTS[0].rate_limit must'],
    ['a limit of zero', [{ ...acme, rate_limit: 0 }], 'TENANTS[0].rate_limit must'],
    ['a string as media settings', [{ ...acme, media: 'signed' }], 'TENANTS[0].media must be an object'],
    ['a list as media settings', [{ ...acme, media: [{}] }], 'TENANTS[0].media must be an object'],
    [
      'a contact that is not an email address',
      [{ ...acme, contact_email: 'nobody' }],
      'TENANTS[0].contact_email must be an email address',
    ],
    ['owners that are no list', [{ ...acme, owners: 'ada@acme.example' }], 'TENANTS[0].owners must be a list'],
    [
      'an owner without an address',
      [{ ...acme, owners: ['ada'] }],
      'TENANTS[0].owners must contain only email addresses',
    ],
    [
      'more than 100 owners',
      [{ ...acme, owners: Array.from({ length: 101 }, (_, index) => `a${index}@acme.example`) }],
      'TENANTS[0].owners must contain at most 100 email addresses',
    ],
    [
      'signed variants that are neither true nor false',
      [{ ...acme, media: { signed_variants: 'secret' } }],
      'TENANTS[0].media.signed_variants must be true or false',
    ],
    ['an unknown media setting', [{ ...acme, media: { signed: true } }], 'media.signed is not a known property'],
    ['a number as limits', [{ ...acme, limits: 5 }], 'TENANTS[0].limits must be an object'],
    ['null as limits', [{ ...acme, limits: null }], 'TENANTS[0].limits must be an object'],
    ['null as a limit', [{ ...acme, limits: { entries: null } }], 'limits.entries must be an integer from 0 to'],
    ['a negative limit', [{ ...acme, limits: { submissions: -1 } }], 'limits.submissions must be an integer from 0'],
    ['a limit that is text', [{ ...acme, limits: { webhooks: '5' } }], 'limits.webhooks must be an integer'],
    [
      'a limit that is not exact',
      [{ ...acme, limits: { media_bytes: 1e300 } }],
      'limits.media_bytes must be an integer',
    ],
    [
      'no requests at all',
      [{ ...acme, limits: { requests_per_minute: 0 } }],
      'limits.requests_per_minute must be an integer from 1',
    ],
    ['an unknown limit', [{ ...acme, limits: { forms: 5 } }], 'TENANTS[0].limits.forms is not a known property'],
    ['a misspelt property', [{ ...acme, apiKeys: [] }], 'TENANTS[0].apiKeys is not a known property'],
    ['an object', acme, 'TENANTS must be a list'],
    ['a list in the list', [[]], 'TENANTS must be a list'],
    ['null in the list', [null], 'TENANTS must be a list'],
    ['a string', '"secret"', 'TENANTS must be a list'],
    ['broken JSON', '[{"key": "secret",]', 'TENANTS must be valid JSON; the error is'],
  ])('refuses %s', (_case, value, expected) => {
    const problems = problemsOf(value);
    expect(problems).toEqual([expect.stringContaining(expected)]);
    expect(problems[0]).not.toContain('secret');
  });

  it('does not print a key that is used as the name of a property', () => {
    const problems = problemsOf([{ ...acme, api_keys: [{ key: 'k', tvt_0123456789abcdef: ['*'] }] }]);
    const known = 'The properties are name, key, scopes, allowed_origins.';
    expect(problems).toEqual([`TENANTS[0].api_keys[0] has an unknown property. ${known}`]);
  });

  it.each<[string, object]>([
    ['TENANTS[0].alowed_origins is not a known property. Did you mean allowed_origins?', { alowed_origins: [] }],
    ['TENANTS[0] has an unknown property. Did you mean rate_limit?', { 'rate-limit': 5 }],
    [
      'TENANTS[0].api_keys[0].scope is not a known property. Did you mean scopes?',
      { api_keys: [{ key: 'k', scope: [] }] },
    ],
    [
      'TENANTS[0].media.strip_meta_data is not a known property. Did you mean strip_metadata?',
      { media: { strip_meta_data: true } },
    ],
    ['TENANTS[0].limits.entrys is not a known property. Did you mean entries?', { limits: { entrys: 1 } }],
  ])('suggests the nearest property: %s', (problem, change) => {
    expect(problemsOf([{ ...acme, ...change }])).toEqual([problem]);
  });

  it('describes weak keys by the names of tenant and key, and never shows a key', () => {
    const tenants = parseTenants(
      JSON.stringify([
        {
          ...acme,
          api_keys: [{ name: 'ci', key: 'k' }, { name: 'b'.repeat(24), key: 'b'.repeat(24) }, { key: STRONG }],
        },
        { ...acme, id: 'ten_b', api_keys: [{ name: 'hash', key: hashed('ten_b') }] },
      ]),
      'TENANTS',
      [],
      SCOPES,
    );
    expect(describeWeakKeys(tenants)).toEqual([
      'In TENANTS, the key ci of ten_acme has fewer than 24 characters. Generate another with: npm run key',
      'In TENANTS, a key of ten_acme repeats a few characters. Generate another with: npm run key',
      'In TENANTS, the key hash of ten_b is the hash of a key that is guessed at once. Generate another with: npm run key',
    ]);
  });

  it('lists every problem', () => {
    const problems = problemsOf([
      { ...acme, id: 1 },
      { id: 'ten_b', name: '', api_keys: [{}], rate_limit: '5' },
    ]);
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'TENANTS[0].id',
      'TENANTS[1].name',
      'TENANTS[1].api_keys[0].key',
      'TENANTS[1].rate_limit',
    ]);
  });

  it('refuses a duplicate ID, key or key name, also if one of two keys is a hash', () => {
    const twice = [
      acme,
      {
        ...acme,
        api_keys: [
          { name: 'a', key: 'one' },
          { name: 'a', key: `sha256:${SHA}` },
        ],
      },
    ];
    expect(problemsOf(twice)).toEqual([
      'TENANTS[1].id is already used by an earlier tenant.',
      'TENANTS[1].api_keys[1].name is already used by an earlier key of the tenant.',
      'TENANTS[1].api_keys[1].key, the key a of ten_acme, is the same key as TENANTS[0].api_keys[0].key, the key key-1 of ten_acme.',
    ]);
  });

  it('lists duplicates together with other problems', () => {
    const problems = problemsOf([acme, { ...acme, name: '' }]);
    expect(problems.map((problem) => problem.split(/[ ,]/)[0])).toEqual([
      'TENANTS[1].name',
      'TENANTS[1].id',
      'TENANTS[1].api_keys[0].key',
    ]);
    const odd = [null, 7, { ...acme, api_keys: [null, { key: 1 }, {}] }, { api_keys: 'x' }];
    expect(problemsOf([acme, ...odd])).toContain('TENANTS[3].id is already used by an earlier tenant.');
  });
});

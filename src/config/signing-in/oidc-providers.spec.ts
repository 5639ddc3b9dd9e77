import { Environment } from '../environment.js';
import { parseOidcProviders } from './oidc-providers.js';
import { readVariables } from '../variables.js';

const TENANT = { id: 'ten_acme' };
const PROVIDER = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://id.acme.example',
  client_id: 'trivet',
  client_secret: 'hidden',
  tenants: [TENANT],
};

const parse = (list: unknown) => {
  const problems: string[] = [];
  return { providers: parseOidcProviders(JSON.stringify(list), new Set(['ten_acme', 'ten_b']), problems), problems };
};

describe('OIDC_PROVIDERS', () => {
  it('are parsed, with defaults', () => {
    expect(parse([PROVIDER])).toEqual({
      providers: [
        {
          id: 'acme',
          name: 'Acme',
          issuer: 'https://id.acme.example',
          clientId: 'trivet',
          clientSecret: 'hidden',
          scopes: ['openid', 'email', 'profile'],
          tenants: [{ id: 'ten_acme', defaultRole: undefined, roles: [], groupsClaim: 'groups' }],
        },
      ],
      problems: [],
    });
  });

  it('have scopes, groups and roles', () => {
    const roles = { staff: 'editor', everyone: 'viewer' };
    const tenant = { id: 'ten_b', default_role: 'viewer', roles, groups_claim: 'realm_access.roles' };
    const [provider] = parse([{ ...PROVIDER, scopes: ['email', 'groups'], tenants: [TENANT, tenant] }]).providers;
    expect(provider?.scopes).toEqual(['openid', 'email', 'groups']);
    expect(provider?.tenants[1]).toEqual({
      id: 'ten_b',
      defaultRole: 'viewer',
      roles: Object.entries(roles),
      groupsClaim: 'realm_access.roles',
    });
  });

  it.each([
    'http://localhost:8080/realms/acme',
    'http://127.0.0.1:9',
    'http://[::1]:9',
    'https://login.example/t/v2.0/',
  ])('may have the issuer %s', (issuer) => expect(parse([{ ...PROVIDER, issuer }]).problems).toEqual([]));

  it.each([
    'http://id.acme.example',
    'http://127.evil.example',
    'http://localhost.evil.example',
    'https://id.acme.example?x',
    'https://id.acme.example#',
    'https://user:hidden@id.acme.example',
    'https://id.acme.example\\@evil.example',
    ' https://id.acme.example',
    'id.acme.example',
    7,
  ])('cannot have the issuer %s', (issuer) =>
    expect(parse([{ ...PROVIDER, issuer }]).problems).toEqual([
      'OIDC_PROVIDERS[0].issuer must be an https URL without a query (http only for a loopback address).',
    ]),
  );

  it.each<[unknown, string]>([
    [{}, 'OIDC_PROVIDERS must be a list of providers.'],
    [null, 'OIDC_PROVIDERS must be a list of objects'],
    [['x'], 'OIDC_PROVIDERS must be a list of objects'],
    [[{ ...PROVIDER, id: 'Acme!' }], 'OIDC_PROVIDERS[0].id must have 1 to 40 characters'],
    [[{ ...PROVIDER, name: ' ' }], 'OIDC_PROVIDERS[0].name must be a string of 1 to 255 characters.'],
    [[{ ...PROVIDER, client_secret: '' }], 'OIDC_PROVIDERS[0].client_secret must be a string of printable characters'],
    [[{ ...PROVIDER, client_secrets: 'hidden' }], 'Did you mean client_secret?'],
    [[{ ...PROVIDER, scopes: ['a b'] }], 'OIDC_PROVIDERS[0].scopes must contain only names of scopes.'],
    [[{ ...PROVIDER, tenants: [] }], 'OIDC_PROVIDERS[0].tenants must name at least one tenant.'],
    [
      [{ ...PROVIDER, tenants: [{ id: 'ten_other' }] }],
      'OIDC_PROVIDERS[0].tenants[0].id is not a tenant of the configuration.',
    ],
    [
      [{ ...PROVIDER, tenants: [TENANT, TENANT] }],
      'OIDC_PROVIDERS[0].tenants[1].id repeats an earlier tenant of the provider.',
    ],
    [
      [{ ...PROVIDER, tenants: [{ ...TENANT, roles: { staff: 7 } }] }],
      'OIDC_PROVIDERS[0].tenants[0].roles must be an object',
    ],
    [
      [{ ...PROVIDER, tenants: [{ ...TENANT, default_role: '' }] }],
      'must be the name of a role of 1 to 255 characters.',
    ],
    [[PROVIDER, PROVIDER], 'OIDC_PROVIDERS[1].id is already used by an earlier provider.'],
  ])('with an error are refused: %j', (list, problem) => {
    const { providers, problems } = parse(list);
    expect(providers).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('hidden');
  });

  it('that are not JSON are refused without the text', () => {
    const problems: string[] = [];
    expect(parseOidcProviders('[{"client_secret": "hidden" oops', undefined, problems)).toEqual([]);
    expect(problems).toEqual([
      expect.stringMatching(/^OIDC_PROVIDERS must be valid JSON; the error is at position \d+/),
    ]);
  });

  it('name the demo tenant if no tenant is configured', () => {
    const read = (id: string) => {
      const env = new Environment({ OIDC_PROVIDERS: JSON.stringify([{ ...PROVIDER, tenants: [{ id }] }]) });
      return [readVariables(env, []).oidcProviders.length, env.problems.length];
    };
    expect(read('ten_demo')).toEqual([1, 0]);
    expect(read('ten_acme')).toEqual([0, 1]);
  });
});

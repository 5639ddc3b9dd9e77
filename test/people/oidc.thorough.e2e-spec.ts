import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { LyingProvider } from '../support/lying-provider.js';
import { browse, startOidcProvider } from '../support/oidc-provider.js';
import {
  beginFlow,
  comeBack,
  enteredBy,
  failureIn,
  OIDC_BASE,
  providerSetting,
  signInBy,
} from '../support/oidc-flows.js';
import { cookieOf, makePerson, signIn } from '../support/people.js';
import { expectServerErrors } from '../support/server-errors.js';

describe('signing in with a provider over HTTP', () => {
  let real: Awaited<ReturnType<typeof startOidcProvider>>;
  let liar: LyingProvider;
  let other: LyingProvider;
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    real = await startOidcProvider([`${OIDC_BASE}/v1/oidc/real/callback`]);
    [liar, other] = [await LyingProvider.start(), await LyingProvider.start()];
    const oidcProviders = ([id]: string[]) => [
      providerSetting('real', real.issuer, [{ id, default_role: 'viewer' }]),
      providerSetting('liar', liar.issuer, [{ id, default_role: 'viewer' }]),
      providerSetting('other', other.issuer, [{ id, default_role: 'viewer' }]),
      providerSetting('down', 'http://localhost:9', [{ id, default_role: 'viewer' }]),
    ];
    app = await startApp({ PUBLIC_URL: OIDC_BASE }, { oidcProviders });
    tenant = app.tenant();
  });
  afterEach(() => [liar, other].forEach((each) => each.reset()));
  afterAll(async () => {
    await app.close();
    await Promise.all([real, liar, other].map((each) => each.close()));
  });

  const JSON_ONLY = { Accept: 'application/json' };
  /** Begins at the liar, which will say these claims for the code `x`. */
  async function begun(claims: Record<string, unknown> = {}) {
    const flow = await beginFlow(app, 'liar');
    const [state, nonce] = ['state', 'nonce'].map((name) => flow.url.searchParams.get(name) ?? '');
    liar.claims = { sub: `person ${Math.random()}`, nonce, email: 'ada@example.com', email_verified: false, ...claims };
    return { ...flow, state: state ?? '' };
  }

  it('is offered by ID and name', async () => {
    const { body } = await app.client().get('/v1/sessions/methods').expect(200);
    expect(body.data.oidc).toEqual(['real', 'liar', 'other', 'down'].map((id) => ({ id, name: id })));
  });

  it('leads to the provider and back to a page of the console, with a session', async () => {
    real.signInAs({ id: 'ada', claims: { email: 'ada@example.com', email_verified: true, name: 'Ada King' } });
    const page = `/console/${tenant.id}/media?x=1#y`;
    const { url, cookie } = await beginFlow(app, 'real', page);
    const callback = await browse(url.href, `${OIDC_BASE}/v1/oidc/`);
    const response = await comeBack(app, 'real', { cookie }, Object.fromEntries(new URL(callback).searchParams));
    expect(response.status).toBe(303);
    expect(response.headers).toMatchObject({
      location: OIDC_BASE + page,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^trivet=tvs_[\w-]{49}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/),
      'trivet-oidc=; Path=/v1/oidc/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    const { body } = await enteredBy(app, response).get('/v1/sessions/current').expect(200);
    expect(body.data).toMatchObject({
      user: { name: 'Ada King', email: 'ada@example.com' },
      tenants: [{ id: tenant.id, role: 'viewer' }],
    });
  });

  it('keeps the flow in a cookie of ten minutes', async () => {
    const response = await app.client().get('/v1/oidc/liar/start').expect(303);
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^trivet-oidc=[\w-]+; Path=\/v1\/oidc\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/console/../evil',
    '/console/%2e%2e/evil',
    '/consoles',
    '/v1/sessions',
    '/console\t/',
    'javascript:alert(1)',
    '',
    `/console/${'x'.repeat(1_100)}`,
  ])('does not lead to %j', async (returnTo) => {
    await app
      .client()
      .get(`/v1/oidc/liar/start?return_to=${encodeURIComponent(returnTo)}`)
      .expect(400);
  });

  it('with an unknown provider is 404', async () => {
    await app.client().get('/v1/oidc/nope/start').expect(404);
    await app.client().get('/v1/oidc/nope/callback?code=x&state=y').expect(404);
    await app.client().get('/v1/oidc/__proto__/start').expect(404);
  });

  it('fails without the cookie of the browser, with a changed one, and with a stolen state', async () => {
    const { state, cookie } = await begun();
    const stranger = await begun();
    for (const each of ['', 'trivet-oidc=', 'trivet-oidc=nope', `${cookie.slice(0, -2)}xx`, stranger.cookie]) {
      const response = await comeBack(app, 'liar', { cookie: each }, { code: 'x', state });
      expect(['oidc_expired', 'oidc_failed']).toContain(failureIn(response));
      expect(cookieOf(response)).toBe('trivet-oidc=');
    }
    const { body } = await comeBack(app, 'liar', { cookie: '' }, { code: 'x', state }, JSON_ONLY).expect(401);
    expect(body.code).toBe('unauthorized');
  });

  it('ends a flow once, also with the same code at the same time', async () => {
    const flow = await begun();
    const parameters = { code: 'x', state: flow.state };
    const answers = await Promise.all([1, 2, 3].map(() => comeBack(app, 'liar', flow, parameters)));
    expect(answers.map(failureIn).sort()).toEqual(['oidc_expired', 'oidc_expired', undefined]);
    expect(failureIn(await comeBack(app, 'liar', flow, parameters))).toBe('oidc_expired');
    // With a real provider, a code is good once.
    real.signInAs({ id: 'grace', claims: {} });
    const { url, cookie } = await beginFlow(app, 'real');
    const callback = Object.fromEntries(new URL(await browse(url.href, `${OIDC_BASE}/v1/oidc/`)).searchParams);
    expect(failureIn(await comeBack(app, 'real', { cookie }, callback))).toBeUndefined();
    expect(failureIn(await comeBack(app, 'real', { cookie }, callback))).toBe('oidc_failed');
  });

  it('does not mix up two providers', async () => {
    const flow = await begun();
    const parameters = { code: 'x', state: flow.state };
    expect(failureIn(await comeBack(app, 'other', flow, parameters))).toBe('oidc_expired');
    other.requests.length = 0;
    liar.requests.length = 0;
    const wrong = await comeBack(app, 'liar', flow, { ...parameters, iss: other.issuer });
    expect(failureIn(wrong)).toBe('oidc_failed');
    expect([...liar.requests, ...other.requests]).not.toContain('/token');
  });

  it('shows a refusal of the provider as a failure, without what it says', async () => {
    const flow = await begun();
    const error = { error: 'access_denied', error_description: '<script>', state: flow.state };
    const response = await comeBack(app, 'liar', flow, error);
    expect(response.headers['location']).toBe(`${OIDC_BASE}/console/sign-in?error=oidc_failed`);
    const { body } = await comeBack(app, 'liar', flow, error, JSON_ONLY).expect(401);
    expect(JSON.stringify(body)).not.toContain('script');
  });

  it.each([
    ['of another signature', () => (liar.signature = 'foreign')],
    ['of another nonce', () => (liar.claims['nonce'] = 'nope')],
    ['for another client', () => (liar.claims['aud'] = 'nope')],
    ['without a subject', () => (liar.claims['sub'] = undefined)],
  ])('fails with a token %s', async (_, change) => {
    const flow = await begun();
    change();
    expect(failureIn(await comeBack(app, 'liar', flow, { code: 'x', state: flow.state }))).toBe('oidc_failed');
  });

  it('that is down or slow keeps nobody else out', async () => {
    expectServerErrors(503);
    const person = await makePerson(app, [tenant.id]);
    expect(failureIn(await app.client().get('/v1/oidc/down/start'))).toBe('oidc_unavailable');
    await app.client(undefined, JSON_ONLY).get('/v1/oidc/down/start').expect(503);
    const flow = await begun();
    let asked: () => void;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    let release: () => void = () => undefined;
    liar.answers.set('/token', (_, response) => {
      release = () => response.destroy();
      asked();
    });
    const slow = comeBack(app, 'liar', flow, { code: 'x', state: flow.state }).then((response) => response);
    await isAsked;
    await signIn(app, person);
    enteredBy(app, await signInBy(app, 'other', other, { sub: 'quick' }));
    release();
    expect(failureIn(await slow)).toBe('oidc_unavailable');
  });

  it('ignores what providers add to the way back', async () => {
    const flow = await begun();
    const parameters = { code: 'x', state: flow.state, session_state: 'a', authuser: '0', hd: 'example.com' };
    enteredBy(app, await comeBack(app, 'liar', flow, parameters));
  });
});

describe('the cookie of a flow behind https', () => {
  it('is one of the host alone', async () => {
    const liar = await LyingProvider.start();
    const oidcProviders = ([id]: string[]) => [providerSetting('liar', liar.issuer, [{ id }])];
    const PUBLIC_URL = 'https://cms.example.com/api';
    const app = await startApp({ PUBLIC_URL, CONSOLE_URL: 'https://console.example.com' }, { oidcProviders });
    try {
      const response = await app.client().get('/v1/oidc/liar/start').expect(303);
      expect(response.headers['set-cookie']).toEqual([
        expect.stringMatching(/^__Host-trivet-oidc=[\w-]+; Path=\/; Secure; Max-Age=600; HttpOnly; SameSite=Lax$/),
      ]);
      const { searchParams } = new URL(response.headers['location'] ?? '');
      expect(searchParams.get('redirect_uri')).toBe('https://console.example.com/v1/oidc/liar/callback');
      const failed = await app.client().get('/v1/oidc/liar/callback?error=access_denied').expect(303);
      expect(failed.headers['location']).toBe('https://console.example.com/console/sign-in?error=oidc_expired');
    } finally {
      await app.close();
      await liar.close();
    }
  });
});

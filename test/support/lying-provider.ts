import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

type Answer = object | ((request: IncomingMessage, response: ServerResponse) => void);

/** A provider of OpenID Connect whose every answer a test can change, and that signs what it is told. */
export class LyingProvider {
  issuer = '';
  /** By path: what is answered instead of the truth. */
  readonly answers = new Map<string, Answer>();
  /** The requests, by path. */
  readonly requests: string[] = [];
  /** What the ID token says. Undefined removes a claim. */
  claims: Record<string, unknown> = {};
  /** What it says when this code is sent, beside `claims`. */
  readonly claimsByCode = new Map<string, Record<string, unknown>>();
  /** How the ID token is signed: with the published key, with another one, or not at all. */
  signature: 'own' | 'foreign' | 'none' | 'secret' = 'own';
  private key!: Awaited<ReturnType<typeof generateKeyPair>>;
  private kid = 0;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<LyingProvider> {
    const provider = new LyingProvider();
    await provider.rotate();
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    provider.issuer = `http://localhost:${(provider.server.address() as AddressInfo).port}`;
    return provider;
  }

  /** Signs with a new key from now on. */
  async rotate(): Promise<void> {
    this.key = await generateKeyPair('ES256');
    this.kid++;
  }

  reset(): void {
    this.answers.clear();
    this.claims = {};
    this.signature = 'own';
  }

  close(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', this.issuer).pathname;
    this.requests.push(path);
    const { authorization = '' } = request.headers;
    const isToken = path === '/token' && !this.answers.has(path);
    const sent = isToken ? new URLSearchParams(await textOf(request)).get('code') : null;
    const code = sent ?? authorization.replace(/^Bearer /, '');
    const answer = this.answers.get(path) ?? (await this.truth(path, code));
    if (typeof answer === 'function') return (answer as (...both: unknown[]) => void)(request, response);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  private async truth(path: string, code: string): Promise<Answer | undefined> {
    if (path === '/.well-known/openid-configuration') return this.metadata();
    if (path === '/keys') return { keys: [await this.publicKey()] };
    if (path === '/token')
      return { access_token: code || 'access', token_type: 'Bearer', id_token: await this.idToken(code) };
    const known = this.claimsByCode.get(code);
    if (path === '/userinfo' && known) return { sub: known['sub'] };
    if (path === '/userinfo') return { sub: 'ada', email: 'ada@example.com', email_verified: true };
    return undefined;
  }

  metadata() {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['ES256', 'none', 'HS256'],
    };
  }

  private async publicKey() {
    return { ...(await exportJWK(this.key.publicKey)), kid: String(this.kid), alg: 'ES256', use: 'sig' };
  }

  private async idToken(code: string): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const times = { iat: now, exp: now + 60 };
    const claims = {
      iss: this.issuer,
      sub: 'ada',
      aud: 'trivet',
      ...times,
      ...this.claims,
      ...this.claimsByCode.get(code),
    };
    if (this.signature === 'none') return new UnsecuredJWT(claims).encode();
    const alg = this.signature === 'secret' ? 'HS256' : 'ES256';
    const token = new SignJWT(claims).setProtectedHeader({ alg, kid: String(this.kid) });
    if (this.signature === 'secret') return token.sign(Buffer.from('a-secret-of-the-test'.padEnd(32, '.')));
    return token.sign(this.signature === 'own' ? this.key.privateKey : (await generateKeyPair('ES256')).privateKey);
  }
}

/** A provider of OpenID Connect that vouches for everybody who comes: a code is the name of the person. */
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { URLSearchParams } from 'node:url';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { atEnd } from '../../bench/processes.mjs';

const CLIENT = 'trivet';

export class Provider {
  /** By the name of the person: the nonce of the sign-in that began last. */
  nonces = new Map();

  static async start() {
    const provider = new Provider();
    provider.key = await generateKeyPair('ES256');
    const server = createServer((request, response) => void provider.answer(request, response));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => server.close());
    provider.issuer = `http://localhost:${server.address().port}`;
    return provider;
  }

  /** The setting of `OIDC_PROVIDERS` for a tenant whose members are editors. */
  settingFor(tenant) {
    const tenants = [{ id: tenant, default_role: 'editor' }];
    return { id: 'fuzz', name: 'Fuzz', issuer: this.issuer, client_id: CLIENT, client_secret: CLIENT, tenants };
  }

  async answer(request, response) {
    const body = await this.bodyFor(new URL(request.url, this.issuer).pathname, request);
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  }

  async bodyFor(path, request) {
    const { issuer } = this;
    if (path === '/token') return this.tokens(new URLSearchParams(await textOf(request)).get('code'));
    if (path === '/keys') return { keys: [{ ...(await exportJWK(this.key.publicKey)), kid: '1', alg: 'ES256' }] };
    if (path !== '/.well-known/openid-configuration') return undefined;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }

  async tokens(person) {
    const claims = { sub: person, email: `${person}@example.com`, email_verified: true, name: 'Ada' };
    const token = new SignJWT({ ...claims, nonce: this.nonces.get(person) })
      .setProtectedHeader({ alg: 'ES256', kid: '1' })
      .setIssuer(this.issuer)
      .setAudience(CLIENT)
      .setIssuedAt()
      .setExpirationTime('1m');
    return { access_token: person, token_type: 'Bearer', id_token: await token.sign(this.key.privateKey) };
  }
}

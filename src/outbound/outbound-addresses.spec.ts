import { createServer as createPlainServer } from 'node:http';
import { answered, post, toLoopback, useOutbound } from '../../test/support/outbound.js';
import type { OutboundOptions } from './outbound-client.js';
import { OUTBOUND_MESSAGES, OutboundError } from './outbound-error.js';
import { PUBLIC_NEEDS_HTTPS } from './target-url.js';

const { client, https, listen } = useOutbound();

describe('addresses', () => {
  const resolvingTo =
    (...addresses: string[]) =>
    () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fd00::1',
    'nonsense',
  ])('that are not public get no connection: %s', async (address) => {
    const { port, connections } = await https((_, response) => response.end());
    const closed = client({ allow: [], resolve: resolvingTo(address) });
    const result = await post(closed, `https://receiver.test:${port}/`);
    expect(result).toMatchObject({ error: 'address_not_public', message: OUTBOUND_MESSAGES.address_not_public });
    expect(result.cause?.message).toContain(address);
    expect(connections()).toBe(0);
  });

  it('that are not allowed are skipped in favour of allowed ones', async () => {
    const { url } = await https((request, response) => response.end(request.socket.localAddress));
    const some = client({ resolve: resolvingTo('10.255.255.1', '127.0.0.2', '127.0.0.1', '169.254.169.254') });
    expect(await post(some, url)).toEqual(answered(200, '127.0.0.1'));
  });

  it('are checked again for each connection, so that DNS rebinding has no effect', async () => {
    const answers = ['127.0.0.1', '127.0.0.2'];
    const resolve = jest.fn(() => resolvingTo(answers.shift() ?? '')());
    const { url, connections } = await https((_, response) => response.writeHead(200, { connection: 'close' }).end());
    const rebound = client({ resolve });
    expect((await post(rebound, url)).status).toBe(200);
    expect((await post(rebound, url)).error).toBe('address_not_public');
    expect(resolve).toHaveBeenCalledTimes(2);
    expect(connections()).toBe(1);
  });

  it('are resolved once for each connection, so that the checked address is used', async () => {
    const resolve = jest.fn(toLoopback);
    const { url } = await https((_, response) => response.end());
    await post(client({ resolve }), url);
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it.each([
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://localhost',
  ])('and names in the URL itself are checked too: %s', async (origin) => {
    const { port, connections } = await https((_, response) => response.end());
    const result = await post(client({ allow: [] }), `${origin}:${port}/`);
    expect(result).toMatchObject({ error: 'address_not_allowed', message: OUTBOUND_MESSAGES.address_not_allowed });
    expect(connections()).toBe(0);
  });

  it('are not resolved when the URL is not https', async () => {
    expect((await post(client(), 'http://receiver.test/')).error).toBe('address_not_allowed');
    expect((await post(client(), 'nonsense')).error).toBe('address_not_allowed');
  });

  it('of private names, unknown names and a DNS failure have different sentences, which contain no address', async () => {
    const missing = await post(
      client({
        resolve: () => Promise.reject(new OutboundError('name_unknown', 'DNS has no address for vault.corp.')),
      }),
      'https://vault.corp/',
    );
    const secret = await post(client({ resolve: resolvingTo('10.0.0.7') }), 'https://vault.corp/');
    const failed = await post(client({ resolve: () => Promise.reject(new Error('ESERVFAIL')) }), 'https://vault.corp/');
    expect([missing.error, secret.error, failed.error]).toEqual(['name_unknown', 'address_not_public', 'dns']);
    for (const { message, body } of [missing, secret, failed]) {
      expect(message).not.toMatch(/vault|10\.0/);
      expect(body).toBe('');
    }
  });
});

describe('http', () => {
  const open = (options: Partial<OutboundOptions> = {}) =>
    client({ allow: [], allowPrivateNetworks: true, resolve: undefined, ...options });
  const resolvingTo = (address: string) => () => Promise.resolve([{ address, family: 4 }]);

  it('reaches a private address and localhost when private networks are allowed, over a connection that is kept', async () => {
    const { port, connections } = await listen(createPlainServer((request, response) => response.end(request.method)));
    const sender = open();
    expect(await post(sender, `http://127.0.0.1:${port}/`)).toEqual(answered(200, 'POST'));
    expect(await post(sender, `HTTP://localhost:${port}/`)).toEqual(answered(200, 'POST'));
    expect(await post(sender, `http://localhost:${port}/`)).toEqual(answered(200, 'POST'));
    expect(connections()).toBe(2);
  });

  it('never reaches a public address', async () => {
    const { port, connections } = await listen(createPlainServer((_, response) => response.end()));
    const literal = await post(open(), 'http://8.8.8.8/');
    expect(literal).toMatchObject({ error: 'address_not_allowed', cause: { message: PUBLIC_NEEDS_HTTPS } });
    const named = await post(open({ resolve: resolvingTo('8.8.8.8') }), `http://receiver.test:${port}/`);
    expect(named).toMatchObject({ error: 'address_public', message: OUTBOUND_MESSAGES.address_public });
    expect(connections()).toBe(0);
  });

  it('reaches nothing unless all private networks are allowed', async () => {
    const { port, connections } = await listen(createPlainServer((_, response) => response.end()));
    for (const host of ['127.0.0.1', 'receiver.test', 'localhost']) {
      expect((await post(client(), `http://${host}:${port}/`)).error).toBe('address_not_allowed');
    }
    expect(connections()).toBe(0);
  });

  it('to a new name is refused if the name has only public addresses now', async () => {
    const check = (resolve: OutboundOptions['resolve'], url = 'http://receiver.test/') =>
      open({ resolve }).checkNewTarget(url);
    expect(await check(resolvingTo('8.8.8.8'))).toBe(PUBLIC_NEEDS_HTTPS);
    expect(await check(resolvingTo('10.0.0.1'))).toBeUndefined();
    expect(await check(() => Promise.reject(new Error('ENOTFOUND')))).toBeUndefined();
    expect(await check(() => new Promise(() => undefined))).toBeUndefined();
    expect(await check(() => Promise.reject(new Error('ENOTFOUND')), 'http://example.com/')).toBe(PUBLIC_NEEDS_HTTPS);
    expect(await check(resolvingTo('8.8.8.8'), 'https://receiver.test/')).toBeUndefined();
    expect(await check(resolvingTo('10.0.0.1'), 'http://8.8.8.8/')).toBe(PUBLIC_NEEDS_HTTPS);
  });
});

import { setTimeout as wait } from 'node:timers/promises';
import { answered, expectNoSockets, post, useOutbound } from '../../test/support/outbound.js';
import { OUTBOUND_MESSAGES } from './outbound-error.js';

const { client, https, raw } = useOutbound();

describe('connections', () => {
  it('are kept open and reused', async () => {
    const { url, connections } = await https(
      (request, response) => void request.resume().on('end', () => response.end('ok')),
    );
    const kept = client();
    for (let i = 0; i < 20; i++) expect((await post(kept, url)).status).toBe(200);
    expect(connections()).toBe(1);
  });

  it('that the receiver closed are replaced without a failure', async () => {
    let requests = 0;
    const { url, sockets, connections } = await https((request, response) => {
      // The second request finds its pooled connection closed, as after an idle time-out of the receiver.
      if (++requests === 2) return request.socket.destroy();
      request.resume().on('end', () => response.end('ok'));
    });
    const kept = client();
    expect((await post(kept, url)).status).toBe(200);
    expect(await post(kept, url)).toEqual(answered(200, 'ok'));
    expect(connections()).toBe(2);
    await expectNoSockets(sockets);
  });

  it('are not reused when the response arrives before the request was read', async () => {
    const { url, sockets } = await raw((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    expect((await post(client(), url, { body: Buffer.alloc(20_000_000) })).status).toBe(200);
    await expectNoSockets(sockets);
  });

  it('serve many requests at once', async () => {
    const { url, connections } = await https(
      (request, response) => void request.resume().on('end', () => response.end('ok')),
    );
    const busy = client();
    const results = await Promise.all(Array.from({ length: 300 }, () => post(busy, url, { timeoutMs: 15_000 })));
    expect(results.every(({ status }) => status === 200)).toBe(true);
    expect(connections()).toBeLessThanOrEqual(256);
  });

  it('are closed by close, after the requests in progress', async () => {
    const { url, sockets } = await https((_, response) => void setTimeout(() => response.end('late'), 150));
    const closing = client();
    const running = post(closing, url);
    await wait(50);
    await closing.close();
    expect(await running).toEqual(answered(200, 'late'));
    await expectNoSockets(sockets);
    expect((await post(closing, url)).error).toBe('aborted');
  });

  it('are closed when the caller aborts', async () => {
    const { url, sockets } = await https(() => undefined);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    const result = await post(client(), url, { signal: abort.signal });
    expect(result).toMatchObject({ error: 'aborted', message: OUTBOUND_MESSAGES.aborted });
    await expectNoSockets(sockets);
    expect((await post(client(), url, { signal: abort.signal })).error).toBe('aborted');
  });
});

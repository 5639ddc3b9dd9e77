import { parseRedisUrl } from './redis-url.js';

describe('parseRedisUrl', () => {
  it('leaves the URL of one server as it is', () => {
    for (const url of ['redis://localhost', 'rediss://user:secret@redis:6380/3']) {
      expect(parseRedisUrl(url)).toEqual({ kind: 'server' });
    }
  });

  it('reads sentinels with the name of the master', () => {
    expect(parseRedisUrl('redis+sentinel://a:26380,b,[::1]:7/main')).toEqual({
      kind: 'sentinel',
      nodes: [
        { host: 'a', port: 26_380 },
        { host: 'b', port: 26_379 },
        { host: '::1', port: 7 },
      ],
      master: 'main',
      db: 0,
      isSecure: false,
    });
    expect(parseRedisUrl('rediss+sentinel://user:s%40cret@a/main/3')).toMatchObject({
      username: 'user',
      password: 's@cret',
      db: 3,
      isSecure: true,
    });
  });

  it('reads nodes of a cluster', () => {
    expect(parseRedisUrl('redis+cluster://:secret@a:7000,b')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 7_000 },
        { host: 'b', port: 6_379 },
      ],
      password: 'secret',
      isSecure: false,
    });
  });

  it.each([
    'http://localhost',
    'redis+sentinel://a,b',
    'redis+cluster://a,b/0',
    'redis+cluster://',
    'redis+cluster://a,,b',
    'redis+cluster://a:99999',
    'redis+other://a',
    'redis:',
  ])('refuses %s', (url) => {
    expect(parseRedisUrl(url)).toBeUndefined();
  });
});

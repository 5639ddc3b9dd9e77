import type { Config } from '../config/config.js';
import { OpenStreams } from './open-streams.js';

describe('open streams', () => {
  const streamsOf = (limits: Partial<Config>) =>
    new OpenStreams({ eventStreams: 2, maxConnections: 100, ...limits } as Config);
  const stream = (tenantId: string, credentialId = 'key') => ({ tenantId, credentialId, end: jest.fn() });

  it('are limited for each tenant, until one is closed', () => {
    const streams = streamsOf({});
    const close = streams.open(stream('a'));
    streams.open(stream('a'));
    expect(() => streams.open(stream('a'))).toThrow('This tenant has too many open streams.');
    streams.open(stream('b'));
    close();
    close();
    streams.open(stream('a'));
    expect(() => streams.open(stream('a'))).toThrow(expect.objectContaining({ headers: { 'Retry-After': '10' } }));
    expect(streams.load).toEqual({ open: 3, refused: 2 });
  });

  it('leave half of the connections to requests', () => {
    const streams = streamsOf({ maxConnections: 6 });
    for (const tenant of ['a', 'b', 'c']) streams.open(stream(tenant));
    expect(() => streams.open(stream('d'))).toThrow('The service has too many open streams.');
  });

  it('of one key leave some of those of the tenant to the other keys', () => {
    const streams = streamsOf({ eventStreams: 10 });
    for (let count = 0; count < 9; count++) streams.open(stream('a', 'one'));
    expect(() => streams.open(stream('a', 'one'))).toThrow('This API key has too many open streams.');
    streams.open(stream('a', 'other'));
    expect(() => streams.open(stream('a', 'other'))).toThrow('This tenant has too many open streams.');
  });

  it('end with their key', () => {
    const streams = streamsOf({});
    const [one, other] = [stream('a', 'one'), stream('a', 'other')];
    streams.open(one);
    streams.open(other);
    streams.endStreamsOf('one');
    expect(one.end).toHaveBeenCalledTimes(1);
    expect(other.end).not.toHaveBeenCalled();
  });

  it('end when the process stops, and so does each that is opened later', () => {
    const streams = streamsOf({});
    const [early, late] = [stream('a'), stream('a')];
    streams.open(early);
    streams.endAll();
    streams.open(late);
    expect(early.end).toHaveBeenCalledTimes(1);
    expect(late.end).toHaveBeenCalledTimes(1);
  });
});

import { OpenStreams } from '../../src/admission/open-streams.js';
import { Database } from '../../src/database/database.js';
import { EventTails } from '../../src/events/stream/event-tails.js';
import { formatId } from '../../src/ids/type-id.js';
import type { EventType } from '../../src/modules/module-manifest.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { createDrafts, createType } from '../support/content.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { EventStreamReader } from '../support/event-stream.js';
import { makePerson, setRole, type SignedIn, signIn, type TestPerson } from '../support/people.js';
import { recordEvents } from '../support/record-events.js';
import { expectServerErrors } from '../support/server-errors.js';
import { until } from '../support/until.js';

describe('a stream of events', () => {
  let app: TestApp;
  let tenant: TestTenant;
  const readers: EventStreamReader[] = [];
  beforeAll(async () => {
    app = await startApp({ EVENT_STREAMS: '5' });
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close();
    await until(() => Promise.resolve(app.get(OpenStreams).load.open === 0));
  });
  afterAll(() => app.close());

  const open = async (query = '', headers: Record<string, string> = {}, of: TestApp = app) => {
    const reader = await EventStreamReader.open(of, tenant, query, headers);
    readers.push(reader);
    return reader;
  };
  const paused = async () => {
    const reader = await EventStreamReader.openPaused(app, tenant);
    readers.push(reader);
    return reader;
  };
  /** Resolves when the client has received the ID with which the stream begins. */
  const begun = async (query = '', headers: Record<string, string> = {}, of: TestApp = app) => {
    const reader = await open(query, headers, of);
    await until(() => Promise.resolve(reader.lastEventId !== ''));
    return reader;
  };
  const record = (
    numbers: readonly number[],
    type: EventType = 'entry.created',
    pad = '',
    of: { app: TestApp; tenant: TestTenant } = { app, tenant },
  ) =>
    recordEvents(
      of.app,
      of.tenant.id,
      numbers.map((number) => ({ type, data: JSON.stringify({ number, ...(pad && { pad }) }), at: new Date() })),
    );
  const numbersOf = ({ events }: EventStreamReader) => events.map(({ body }) => body.data['number']);
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const feed = async (query = 'cursor=') =>
    (await tenant.http.get(`/v1/events/${tenant.id}?per_page=100&${query}`).expect(200)).body;

  it('requires a key of the tenant', async () => {
    const path = `/v1/events/${tenant.id}`;
    await app.client(undefined, { Accept: 'text/event-stream' }).get(path).expect(401);
    await app.tenant().http.get(path).set('Accept', 'text/event-stream').expect(403);
  });

  it('contains each event as it is committed, as the feed shows it', async () => {
    const reader = await begun();
    expect(reader.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(reader.headers['cache-control']).toBe('no-store');
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await createDrafts(tenant, type, { title: 'line\nbreak' });
    const events = await reader.until(2);
    const { data } = await feed();
    expect(events.map(({ body }) => body)).toEqual(data);
    expect(events.map((event) => event.type)).toEqual(['content_type.created', 'entry.created']);
  });

  it('is the response only if the client prefers it to JSON', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream', 'text/html']) {
      const { headers } = await tenant.http.get(`/v1/events/${tenant.id}`).set('Accept', accept).expect(200);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
    const { headers } = await fetch(`${app.url}/v1/events/${tenant.id}`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${tenant.key}`, Accept: 'text/event-stream' },
    });
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  describe('begins', () => {
    it('now, if the request does not say otherwise', async () => {
      await record([1]);
      const reader = await begun();
      await record([2]);
      await reader.until(1);
      expect(numbersOf(reader)).toEqual([2]);
    });

    it('at the oldest event with an empty cursor, and after that of a page', async () => {
      await record([1, 2, 3]);
      expect(numbersOf(await opened('?cursor=', 3))).toEqual([1, 2, 3]);
      const { meta } = (await tenant.http.get(`/v1/events/${tenant.id}?per_page=2`).expect(200)).body;
      expect(numbersOf(await opened(`?cursor=${meta.next_cursor}`, 1))).toEqual([3]);
    });

    it('after Last-Event-ID, also if the URL has a cursor or a time', async () => {
      await record([1, 2, 3]);
      const { events } = await opened('?cursor=', 3);
      const id = { 'Last-Event-ID': events[1]?.id ?? '' };
      expect(numbersOf(await opened('?cursor=', 1, id))).toEqual([3]);
      expect(numbersOf(await opened('?since=2026-01-01T00:00:00Z', 1, id))).toEqual([3]);
      expect(numbersOf(await opened('?cursor=', 3, { 'Last-Event-ID': '' }))).toEqual([1, 2, 3]);
    });

    it('at the first event of a time', async () => {
      const at = (seconds: number) => new Date(Date.now() - seconds * 1_000);
      const [first, second] = [at(3), at(2)];
      for (const [index, time] of [first, second, at(1)].entries()) {
        const data = JSON.stringify({ number: index });
        await recordEvents(app, tenant.id, [{ type: 'entry.created', data, at: time }]);
      }
      const since = `since=${second.toISOString()}`;
      expect(numbersOf(await opened(`?${since}`, 2))).toEqual([1, 2]);
      const page = await feed(since);
      expect(page.data.map(({ data }: { data: { number: number } }) => data.number)).toEqual([1, 2]);
      expect((await feed(`cursor=${page.meta.next_cursor}`)).data).toEqual([]);
      expect((await feed(`since=${new Date().toISOString()}`)).data).toEqual([]);
      const local = new Date(second.getTime() + 3_600_000).toISOString().replace('Z', '+01:00');
      expect((await feed(`since=${local}`)).data).toHaveLength(2);
      expect((await feed(`since=${first.toISOString().slice(0, 10)}`)).data).toHaveLength(3);
    });

    it.each([
      ['Last-Event-ID', '', { 'Last-Event-ID': 'nonsense' }],
      ['cursor', '?cursor=nonsense', {}],
      ['types', '?types=entry.created,nope', {}],
      ['types', '?types=', {}],
      ['filter[type]', '?types=entry.created&filter[type]=entry.created', {}],
      ['since', '?since=yesterday', {}],
      ['per_page', '?per_page=0', {}],
      ['since', '?since=2999-01-01T00:00:00Z', {}],
      ['since', '?since=2026-01-01T00:00:00Z&cursor=', {}],
    ])('never with a wrong %s: %s is 400', async (path, query, headers) => {
      const refused = await open(query, headers);
      expect(refused.status).toBe(400);
      expect(refused.headers['content-type']).toBe('application/problem+json');
      expect(await refused.problem()).toMatchObject({ code: 'invalid_parameter', errors: [{ path }] });
    });

    it('never with the ID of a stream of other types', async () => {
      await record([1]);
      const { lastEventId } = await opened('?cursor=', 1);
      const { status } = await open('?types=entry.created', { 'Last-Event-ID': lastEventId });
      expect(status).toBe(400);
    });

    const opened = async (query: string, count: number, headers: Record<string, string> = {}) => {
      const reader = await open(query, headers);
      await reader.until(count);
      reader.close();
      return reader;
    };
  });

  it('contains only the types that are asked for, and so does a page', async () => {
    const reader = await begun('?types=form.submitted,entry.deleted');
    await record([1]);
    await record([2], 'entry.deleted');
    await record([3], 'form.submitted');
    await reader.until(2);
    expect(numbersOf(reader)).toEqual([2, 3]);
    const { data } = await feed('types=entry.deleted,form.submitted');
    expect(data.map(({ type }: { type: string }) => type)).toEqual(['entry.deleted', 'form.submitted']);
  });

  it('resumes where it was, even if it has contained no event', async () => {
    const reader = await begun('?types=form.submitted');
    reader.close();
    await record([1], 'form.submitted');
    const resumed = await open('?types=form.submitted', { 'Last-Event-ID': reader.lastEventId });
    await resumed.until(1);
    expect(numbersOf(resumed)).toEqual([1]);
  });

  it('misses and repeats nothing for a client that connects again and again while events are recorded', async () => {
    const total = 600;
    const writing = (async () => {
      for (let number = 1; number <= total; number += 3) await record(range(number, number + 2));
    })();
    const seen: unknown[] = [];
    let last = '';
    while (seen.length < total) {
      const reader = await open(last ? '' : '?cursor=', last ? { 'Last-Event-ID': last } : {});
      const enough = Math.min(17, total - seen.length);
      await reader.until(enough);
      reader.close();
      // The connection may break in the middle of what has arrived.
      seen.push(...numbersOf(reader).slice(0, enough));
      last = reader.events[enough - 1]?.id ?? last;
    }
    await writing;
    expect(seen).toEqual(range(1, total));
  }, 60_000);

  it('contains large events', async () => {
    const reader = await begun();
    const other = await begun('?types=entry.deleted');
    await record([1]);
    await record([2, 3], 'entry.created', 'x'.repeat(400_000));
    await record([4], 'entry.deleted');
    await reader.until(4);
    await other.until(1);
    expect(numbersOf(reader)).toEqual([1, 2, 3, 4]);
    expect(numbersOf(other)).toEqual([4]);
    const again = await open('?cursor=');
    expect((await again.until(4)).map(({ body }) => body)).toEqual(reader.events.map(({ body }) => body));
  });

  it('has a comment with the cursor every 15 seconds', async () => {
    const reader = await begun();
    expect(reader.comments).toBe(1);
    await until(() => Promise.resolve(reader.comments > 1), 20_000);
    reader.close();
  }, 30_000);

  it('is refused with 503 beyond EVENT_STREAMS, without harm to other tenants, until another one is closed', async () => {
    expectServerErrors(503);
    const five = await Promise.all(range(1, 5).map(() => begun()));
    const refused = await open();
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(await refused.problem()).toMatchObject({ code: 'unavailable' });
    await tenant.http.get(`/v1/events/${tenant.id}`).expect(200);
    const neighbour = await EventStreamReader.open(app, app.tenant());
    expect(neighbour.status).toBe(200);
    neighbour.close();
    five[0]?.close();
    await until(async () => (await open()).status === 200);
  });

  it('shares its first queries with those that begin at the same time', async () => {
    await record([1]);
    const query = jest.spyOn(Database.prototype, 'query');
    const ends = await Promise.all(range(1, 50).map(() => app.get(EventTails).endOf(tenant.id)));
    const names = query.mock.calls.flatMap(([of, { name }]) => (of === tenant.id && name === 'events.end' ? name : []));
    query.mockRestore();
    // One for the first, and one for all that came while it ran.
    expect(names).toHaveLength(2);
    expect(new Set(ends).size).toBe(1);
  });

  it('is counted in the metrics, and not as a request that takes long', async () => {
    const value = async (name: string) => {
      const { text } = await app.client().get('/metrics').expect(200);
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    };
    const before = await value('trivet_event_streams');
    const reader = await begun();
    expect(await value('trivet_event_streams')).toBe(before + 1);
    reader.close();
    await until(async () => (await value('trivet_event_streams')) <= before);
    expect(await value('trivet_event_streams_refused_total')).toBeGreaterThanOrEqual(0);
  });

  describe('of a client that does not read', () => {
    const pad = 'x'.repeat(10_000);

    it('delays no other client, and continues without a gap when the client reads again', async () => {
      const slow = await paused();
      const reader = await begun();
      for (const batch of range(0, 7)) {
        await record(range(batch * 100 + 1, batch * 100 + 100), 'entry.created', pad);
        await reader.until(batch * 100 + 100);
      }
      slow.resume();
      await slow.until(800);
      await record([801]);
      await slow.until(801);
      expect(numbersOf(slow)).toEqual(range(1, 801));
      expect(numbersOf(reader).slice(0, 800)).toEqual(range(1, 800));
    }, 60_000);

    it('ends when the client has read nothing for CLIENT_TIMEOUT', async () => {
      const hasty = await startApp({ CLIENT_TIMEOUT: '2s' });
      const own = hasty.tenant();
      const reader = await EventStreamReader.openPaused(hasty, own);
      const { load } = hasty.get(OpenStreams);
      expect(load.open).toBe(1);
      for (const batch of range(0, 14))
        await record(range(batch * 100, batch * 100 + 99), 'entry.created', pad, { app: hasty, tenant: own });
      await until(() => Promise.resolve(hasty.get(OpenStreams).load.open === 0), 30_000);
      reader.close();
      await hasty.close();
    }, 60_000);
  });

  describe('of a key that is revoked', () => {
    const make = async () =>
      (await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'Reader', scopes: ['events:read'] }).expect(201)).body
        .data;
    const revoke = (id: string) => tenant.http.delete(`/v1/keys/${tenant.id}/${id}`).expect(200);

    it('ends, and only streams of this key', async () => {
      const { id, key } = await make();
      const reader = await EventStreamReader.open(app, { id: tenant.id, key });
      const other = await begun();
      readers.push(reader);
      await until(() => Promise.resolve(reader.lastEventId !== ''));
      await revoke(id);
      await until(() => Promise.resolve(reader.ended));
      expect(reader.ended).toBe('end');
      await record([1]);
      await other.until(1);
    });

    it('ends for a client that does not read, too', async () => {
      const { id, key } = await make();
      readers.push(await EventStreamReader.openPaused(app, { id: tenant.id, key }));
      const reader = await begun();
      await record(range(1, 1_000), 'entry.created', 'x'.repeat(10_000));
      await reader.until(1_000);
      await revoke(id);
      await until(() => Promise.resolve(app.get(OpenStreams).load.open === 1));
    });
  });

  describe('in a session', () => {
    const openIn = async (cookie: string) => {
      const reader = await EventStreamReader.open(app, { id: tenant.id }, '', {
        Cookie: cookie,
        'X-Trivet-Console': '1',
      });
      readers.push(reader);
      return reader;
    };
    /** Opens a stream in the session of a viewer and one with a key, and expects that only the first one ends. */
    const expectEndBy = async (change: (viewer: TestPerson, session: SignedIn) => PromiseLike<unknown>) => {
      const viewer = await makePerson(app, [tenant.id], 'viewer');
      const session = await signIn(app, viewer);
      const reader = await openIn(session.cookie);
      const other = await begun();
      await until(() => Promise.resolve(reader.lastEventId !== ''));
      await change(viewer, session);
      await until(() => Promise.resolve(reader.ended));
      expect(reader.ended).toBe('end');
      await record([1]);
      await other.until(1);
      return (await openIn(session.cookie)).status;
    };

    it('ends when the person signs out', async () => {
      const again = await expectEndBy((_viewer, { http }) => http.delete('/v1/sessions/current').expect(200));
      expect(again).toBe(401);
    });

    it('ends when the person is removed', async () => {
      const again = await expectEndBy(({ members: [id = ''] }) =>
        tenant.http.delete(`/v1/users/${tenant.id}/${formatId('usr', id)}`).expect(200),
      );
      expect(again).toBe(401);
    });

    it('ends when the person has another role, which decides whether it may be opened again', async () => {
      expect(await expectEndBy((viewer) => setRole(app, tenant.id, viewer, 'author'))).toBe(403);
      expect(await expectEndBy((viewer) => setRole(app, tenant.id, viewer, 'owner'))).toBe(200);
    });
  });

  describe('in several processes', () => {
    let database: TestDatabase;
    let writer: TestApp;
    let other: TestApp;
    const TENANTS = JSON.stringify([{ id: 'ten_streams', name: 'Streams', api_keys: [{ name: 'all', key: 'all' }] }]);
    beforeAll(async () => {
      database = await createDatabase();
      writer = await startApp({ TENANTS }, { database });
      other = await startApp({ TENANTS, ROLE: 'api' }, { database });
    });
    afterAll(async () => {
      await writer.close();
      await other.close();
      await database.drop();
    });
    beforeEach(() => {
      tenant = { id: 'ten_streams', key: 'all', http: writer.client('Bearer all') };
    });
    const recordIn = (one: TestApp, number: number) =>
      recordEvents(one, tenant.id, [{ type: 'entry.created', data: JSON.stringify({ number }), at: new Date() }]);

    it('contains events of each process, also of one without workers', async () => {
      const [here, there] = [await begun('', {}, writer), await begun('', {}, other)];
      await recordIn(writer, 1);
      await here.until(1);
      await there.until(1);
      await recordIn(other, 2);
      await here.until(2);
      await there.until(2);
      expect([numbersOf(here), numbersOf(there)]).toEqual([
        [1, 2],
        [1, 2],
      ]);
      // The ID of one process is valid in the other.
      await recordIn(other, 3);
      const resumed = await open('', { 'Last-Event-ID': here.events[0]?.id ?? '' }, other);
      await resumed.until(2);
      expect(numbersOf(resumed)).toEqual([2, 3]);
    });

    it('ends in an orderly way when its process stops', async () => {
      const stopping = await startApp({ TENANTS }, { database });
      const reader = await begun('', {}, stopping);
      await stopping.close();
      expect(reader.ended).toBe('end');
    });
  });
});

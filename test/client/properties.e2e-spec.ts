import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { createClient } from '../../client/src/index.js';
import { conditionParameters } from '../../client/src/entries/conditions.js';
import { placeIncluded } from '../../client/src/entries/placing.js';
import { pathOf, queryOf } from '../../client/src/transport/url.js';
import { isSigned } from '../../client/src/webhooks/signature.js';
import { propertyRuns } from '../support/property-runs.js';

const { webhooks } = createClient({ url: '', tenant: 'ten_acme' });
const text = fc.string({ unit: 'grapheme' });
const secret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);

const now = () => Math.floor(Date.now() / 1000);
const headersOf = (id: string, time: number | string, signature: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(time),
  'webhook-signature': signature,
});
const hmac = (key: string | Buffer, signed: string) =>
  `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;

describe('paths and queries of the client', () => {
  it('lead to one segment for each value, which the other side decodes to the same text', () => {
    const segment = text.filter((value) => !['', '.', '..'].includes(value));
    fc.assert(
      fc.property(segment, segment, (a, b) => {
        const { pathname, search, hash } = new URL(`https://cms.example${pathOf('/v1/{a}/x/{b}', { a, b })}`);
        expect([pathname.split('/').map(decodeURIComponent), search, hash]).toEqual([['', 'v1', a, 'x', b], '', '']);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it.each(['', '.', '..', undefined, null, {}])('are refused for a segment that is %j', (value) => {
    expect(() => pathOf('/v1/{entry_id}', { entry_id: value })).toThrow('entry_id must be a value');
  });

  it('have the values that they were made of', () => {
    fc.assert(
      fc.property(fc.dictionary(text, text), (values) => {
        expect(Object.fromEntries(new URLSearchParams(queryOf(values)))).toEqual({ ...values });
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe('conditions', () => {
  it('are parameters where these can say them, and else where', () => {
    const filter = { title: 'x', price: { gte: 5, lt: 10 }, kind: { in: ['a', 'b'] }, gone: null, there: { ne: null } };
    expect(conditionParameters(filter, undefined)).toEqual({
      'filter[title]': 'x',
      'filter[price][gte]': 5,
      'filter[price][lt]': 10,
      'filter[kind][in]': 'a,b',
      'filter[gone][exists]': false,
      'filter[there][exists]': true,
    });
    const lists = { kind: { in: ['a,b'] }, other: { in: [] } };
    expect(conditionParameters(lists, { title: 'x' })).toEqual({
      where: '{"and":[{"title":"x"},{"kind":{"in":["a,b"]}},{"other":{"in":[]}}]}',
    });
    expect(conditionParameters({ title: undefined }, undefined)).toEqual({});
  });
});

describe('included entries', () => {
  const entry = (id: string, fields: object) => ({ id, fields: fields as Record<string, unknown> });

  it('stand wherever a path leads: in lists, groups and blocks, twice, and in circles', () => {
    const ada = entry('a', { name: 'Ada', mentor: 'b', seo: { by: 'b' } });
    const bob = entry('b', { name: 'Bob', mentor: 'a' });
    const post = entry('p', {
      author: 'a',
      editors: ['a', 'b', 'gone'],
      seo: { by: 'b' },
      sections: [{ block: 'x', by: 'a' }, { block: 'y' }],
      other: 'a',
      cover: { url: '/x' },
    });
    const paths = ['author.mentor.mentor', 'editors', 'seo.by', 'sections.by.mentor', 'cover', 'missing.x'];
    const [placed] = placeIncluded([post], { a: ada, b: bob }, paths);
    expect(JSON.parse(JSON.stringify(placed))).toEqual({
      id: 'p',
      fields: {
        author: { ...ada, fields: { ...ada.fields, mentor: { ...bob, fields: { ...bob.fields, mentor: ada } } } },
        editors: [ada, bob, null],
        seo: { by: bob },
        sections: [{ block: 'x', by: { ...ada, fields: { ...ada.fields, mentor: bob } } }, { block: 'y' }],
        other: 'a',
        cover: { url: '/x' },
      },
    });
    expect(post.fields['author']).toBe('a');
  });

  it('are found among the entries of the page, which the answer does not repeat', () => {
    const [first, second] = [entry('a', { next: 'b' }), entry('b', { next: 'a' })];
    const placed = placeIncluded([first, second], {}, ['next']);
    expect(placed.map(({ fields }) => fields['next'])).toEqual([second, first]);
  });
});

describe('verify', () => {
  it('accepts what the reference library signs, of each of several secrets', async () => {
    await fc.assert(
      fc.asyncProperty(secret, secret, fc.jsonValue(), async (one, other, value) => {
        const body = JSON.stringify({ value });
        const time = new Date();
        const signature = new Webhook(one).sign('evt_1', time, body);
        const headers = headersOf('evt_1', Math.floor(time.getTime() / 1000), `v1,AAAA v2,x ${signature}`);
        expect(await webhooks.verify({ headers, body }, [other, one])).toEqual(JSON.parse(body));
        if (one !== other) {
          await expect(webhooks.verify({ headers, body }, other)).rejects.toMatchObject({ code: 'invalid_signature' });
        }
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('refuses another body, ID or time, and any other signature', async () => {
    const [key, body, time] = ['a secret', '{"id":"evt_1"}', now()];
    const signature = hmac(key, `evt_1.${time}.${body}`);
    const verify = (headers: object, sent = body) =>
      webhooks.verify({ headers: headers as Record<string, string>, body: sent }, key);
    expect(await verify(headersOf('evt_1', time, signature))).toEqual({ id: 'evt_1' });
    const refused = [
      [headersOf('evt_2', time, signature)],
      [headersOf('evt_1', time + 1, signature)],
      [headersOf('evt_1', time, signature), `${body} `],
      [headersOf('evt_1', time, signature.replace('v1,', 'v1a,'))],
      [headersOf('evt_1', time, signature.slice(0, -4))],
      [headersOf('evt_1', time, 'v1,not base64!')],
      [headersOf('evt_1', '', signature)],
      [{}],
    ] as const;
    for (const [headers, sent] of refused) {
      await expect(verify(headers, sent)).rejects.toMatchObject({ name: 'TrivetError', code: 'invalid_signature' });
    }
    await fc.assert(
      fc.asyncProperty(text, async (any) => {
        expect(await isSigned(any, new TextEncoder().encode('x'), key)).toBe(false);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('refuses a delivery that is too old or from the future, beyond the tolerance', async () => {
    const [key, body] = ['a secret', '{}'];
    const at = (time: number, options = {}) =>
      webhooks.verify({ headers: headersOf('evt_1', time, hmac(key, `evt_1.${time}.${body}`)), body }, key, options);
    await at(now() - 290);
    await at(now() + 290);
    await expect(at(now() - 310)).rejects.toThrow('too far from now');
    await expect(at(now() + 310)).rejects.toThrow('too far from now');
    await expect(at(now() - 20, { tolerance: 10 })).rejects.toThrow('too far from now');
    await at(now() - 3_000, { tolerance: 3_600 });
  });

  it('checks signatures of key pairs, and takes a Request, text, and bytes', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const [time, body] = [now(), '{"type":"webhook.test"}'];
    const signature = `v1a,${sign(null, Buffer.from(`evt_1.${time}.${body}`), privateKey).toString('base64')}`;
    const headers = headersOf('evt_1', time, signature);
    const key = `whpk_${raw.toString('base64')}`;
    const event = { type: 'webhook.test' };
    expect(await webhooks.verify(new Request('https://x.example', { method: 'POST', headers, body }), key)).toEqual(
      event,
    );
    expect(await webhooks.verify({ headers, body: Buffer.from(body) }, key)).toEqual(event);
    expect(await webhooks.verify({ headers: new Headers(headers), body }, key)).toEqual(event);
    await expect(webhooks.verify({ headers, body: JSON.parse(body) as object }, key)).rejects.toThrow(
      'before it is parsed',
    );
    const other = headersOf('evt_2', time, signature);
    await expect(webhooks.verify({ headers: other, body }, key)).rejects.toMatchObject({ code: 'invalid_signature' });
  });
});

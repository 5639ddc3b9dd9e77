import request from 'supertest';
import type { TestApp, TestTenant } from './app.js';
import type { Method } from './api.js';
import { scenariosOf } from './extensions.js';
import { files } from './files.js';
import { until } from './until.js';

/** A request and its response. */
export interface Call {
  method: Method;
  path: string;
  status: number;
  contentType: string;
  body: unknown;
}

const FIELDS = [
  { name: 'title', type: 'text', required: true, max: 200 },
  { name: 'slug', type: 'text', unique: true },
  { name: 'body', type: 'rich_text' },
  { name: 'cover', type: 'media' },
  { name: 'price', type: 'number' },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'at', type: 'datetime' },
  { name: 'kind', type: 'select', options: ['a', 'b'] },
  { name: 'extra', type: 'json' },
];

/** 100 KB of field definitions. */
const LARGE_FIELDS = [
  { name: 'kind', type: 'select', options: Array.from({ length: 450 }, (_, index) => `${index} ${'x'.repeat(230)}`) },
];

/** The IDs of a tenant's resources after the scenario, by their names in paths. Other tenants then request them. */
export type Resources = Readonly<Record<string, string>>;

/**
 * Calls every endpoint of the API (and of the extensions that are on) as a tenant, with and without success. Deletes none of the `Resources`, only resources that it created
 * for that. The application needs `WEBHOOK_ALLOW_PRIVATE_NETWORKS`.
 */
export async function playScenario(app: TestApp, tenant: TestTenant): Promise<{ calls: Call[]; resources: Resources }> {
  const player = new Player(app, tenant);
  let resources = await player.play();
  for (const scenario of await scenariosOf(app)) resources = { ...resources, ...(await scenario.play(player)) };
  return { calls: player.calls, resources };
}

/** Sends the requests of a scenario with the key of its tenant, and notes them. */
export class Player {
  readonly calls: Call[] = [];
  private readonly types: string;
  private readonly forms: string;
  private readonly webhooks: string;
  private readonly media: string;

  constructor(
    private readonly app: TestApp,
    readonly tenant: TestTenant,
  ) {
    this.types = `/v1/content/${tenant.id}/types`;
    this.forms = `/v1/forms/${tenant.id}`;
    this.webhooks = `/v1/webhooks/${tenant.id}`;
    this.media = `/v1/media/${tenant.id}`;
  }

  async play(): Promise<Resources> {
    const webhook = await this.playWebhooks();
    const media = await this.playMedia();
    const content = await this.playContent(media);
    const form_id = await this.playForms();
    const delivery_id = await this.playDeliveries(webhook);
    await this.playEvents();
    return { ...content, form_id, webhook_id: webhook, delivery_id, media_id: media.id, file: media.file };
  }

  private async playContent(picture: { id: string; url: string }): Promise<Resources> {
    const { types } = this;
    const type = await this.create(types, { name: 'Article', fields: FIELDS });
    await this.call('post', types, { name: 'Taken', slug: 'article', fields: FIELDS });
    const numbered = await this.create(types, { name: 'Article', fields: FIELDS });
    await this.call('post', types, { name: '', fields: [{ name: 'id', type: 'nope' }] });
    await this.call('get', types);
    await this.follow(`${types}?cursor=&per_page=1`);
    await this.call('get', `${types}/${numbered}`);
    await this.call('get', `${types}/${type}`);
    await this.call('put', `${types}/${type}`, { name: 'Story' });
    const more = [...FIELDS, { name: 'related', type: 'reference', content_type: type, multiple: true }];
    await this.call('put', `${types}/${type}`, { slug: 'stories', fields: more });
    await this.call('put', `${types}/${type}`, { fields: 'none' });

    const entries = `${types}/${type}/entries`;
    const fields = {
      title: 'One',
      slug: 'one',
      body: '<p>Tides</p>',
      cover: { url: picture.url, alt: 'A tide' },
      tags: ['a', 'b'],
    };
    const first = await this.create(entries, { fields });
    const second = await this.create(entries, {
      fields: {
        title: 'Two',
        slug: 'two',
        price: 2.5,
        at: '2026-01-31T09:30:00+01:00',
        kind: 'a',
        extra: { a: [1] },
        cover: { id: picture.id },
        related: [first],
      },
      status: 'published',
    });
    await this.call('post', entries, { fields: { slug: 'one', price: 'dear', related: [type] } });
    for (const query of [
      '',
      'page=2&per_page=1',
      'page=9',
      'cursor=',
      'cursor=&sort=-price,title',
      'sort=title&filter[status]=published',
      'sort=price',
      'sort=-price&page=2&per_page=1',
      'filter[title][contains]=o&filter[price][gte]=1',
      'filter[price][ne]=1&filter[tags]=a',
      'filter[kind][in]=a,b&filter[at][exists]=true',
      `filter[related]=${first}&filter[cover][starts_with]=http`,
      'filter[created_at][gt]=2026-01-01&filter[id][ne]=' + first,
      'where={"or":[{"title":{"contains":"o"}},{"price":{"gte":1},"kind":"a"},{"status":"draft"}]}',
      'where={"not":{"or":[{"tags":"a"},{"price":2.5}]}}&sort=-title',
      'where={"or":[{"title":"One"},{"kind":{"in":["a","b"]},"price":{"ne":1}}]}&cursor=',
      `where={"or":[{"id":"${first}"},{"status":"published","at":null}]}&sort=price&search=two or one`,
      'where={"price":"dear"}',
      'search=tides',
      'search=two&sort=title&filter[status]=published',
      'search=two&highlight=true',
      'search=twoo&fuzzy=true&filter[status]=published',
      'fuzzy=true',
      'highlight=true',
      'search=one&referenced=true',
      'search=two -one&referenced=true&sort=title&cursor=',
      'search=-"one two"&referenced=true',
      'include=related,related.related&select=title,related.title',
      'include=title',
      'include=related&preview=true&select=',
      'sort=nope',
      'filter[price]=dear',
    ]) {
      await this.call('get', `${entries}?${query}`);
    }
    await this.follow(`${entries}?cursor=&per_page=1&sort=price`);

    await this.call('get', `${entries}/${first}`);
    await this.call('get', `${entries}/${second}?include=related&select=title,price`);
    await this.call('get', `${entries}/${second}?select=nope`);
    await this.call('patch', `${entries}/${first}`, {
      fields: { price: 3, tags: null, slug: 'uno' },
      status: 'published',
    });
    await this.call('patch', `${entries}/${first}`, { fields: { title: null } });
    await this.call('patch', `${entries}/${first}`, {}, { 'If-Match': '"v99"' });
    await this.call('get', `${entries}/${first}`, undefined, { 'If-None-Match': '*' });
    await this.call('delete', `${entries}/${second}`, undefined, { 'If-Match': '"v99"' });
    await this.playHistory(`${entries}/${second}`);
    await this.call('delete', `${entries}/${second}`);
    await this.call('get', `${entries}/${second}`);
    const third = await this.create(entries, { fields: { title: 'Three' } });
    await this.playDrafts(entries, first, third);
    await this.playSchedules(entries, first, third);
    await this.playReferences(entries, first, third);

    await this.playPublicContent(`${types}/stories`, first);

    await this.call('put', `${types}/${type}`, {
      fields: more.map((field) => ({ ...field, unique: field.name === 'title' })).map(withoutFalse),
    });
    await this.call('put', `${types}/${type}`, { fields: [{ name: 'title', type: 'number' }] });
    const doomed = await this.create(types, { name: 'Doomed', fields: [{ name: 'n', type: 'integer', unique: true }] });
    await this.create(`${types}/${doomed}/entries`, { fields: { n: 1 }, status: 'published' });
    const text = { name: 't', type: 'text' };
    await this.call('put', `${types}/${doomed}`, { fields: [{ name: 'n', type: 'integer', unique: true }, text] });
    for (const n of [2, 3]) await this.create(`${types}/${doomed}/entries`, { fields: { n, t: 'the same' } });
    await this.call('put', `${types}/${doomed}`, { fields: [{ ...text, unique: true }] });
    await this.call('put', `${types}/${doomed}`, { fields: [{ name: 'n', type: 'integer', unique: true }] });
    await this.call('put', `${types}/${doomed}`, { fields: [{ name: 'm', type: 'text' }] });
    await this.call('put', `${types}/${doomed}`, { fields: [{ name: 'n', type: 'integer', unique: true }] });
    await this.call('delete', `${types}/${doomed}`);
    await this.call('delete', `${types}/${doomed}`);
    await this.playLargeContent();
    return { content_type_id: type, entry_id: first, version: '1' };
  }

  private async playHistory(entry: string): Promise<void> {
    await this.call('patch', entry, { fields: { title: 'Another' } });
    await this.call('get', `${entry}/versions`);
    await this.follow(`${entry}/versions?cursor=&per_page=1`);
    for (const version of ['1', '2', '99']) {
      await this.call('get', `${entry}/versions/${version}`);
      await this.call('get', `${entry}/versions/${version}/diff`);
      await this.call('get', `${entry}/versions/${version}/diff?from=1`);
    }
    await this.call('post', `${entry}/versions/1/restore`, undefined, { 'If-Match': '"v99"' });
    await this.call('post', `${entry}/versions/1/restore?to=draft`);
    await this.call('delete', `${entry}/draft`);
    await this.call('post', `${entry}/versions/1/restore`);
    await this.call('post', `${entry}/versions/1/restore`);
  }

  /** Leaves a draft of each of the entries. */
  private async playDrafts(entries: string, first: string, second: string): Promise<void> {
    const draft = `${entries}/${first}/draft`;
    await this.call('get', draft);
    await this.call('patch', draft, {});
    await this.call('patch', draft, { fields: { title: null, price: 'dear' } });
    await this.call('patch', draft, { fields: { price: 4, slug: 'one-again' } });
    await this.call('patch', draft, {}, { 'If-Match': '"d99"' });
    await this.call('get', draft);
    await this.call('patch', `${entries}/${first}`, { fields: { price: 5 } });
    await this.call('post', `${draft}/publish`);
    await this.call('post', `${draft}/publish?force=true`, undefined, { 'If-Match': '"d99"' });
    await this.call('post', `${draft}/publish?force=maybe`);
    await this.call('post', `${draft}/publish?force=true`);
    await this.call('post', `${draft}/publish`);
    await this.call('patch', draft, { fields: { title: 'Discarded' } });
    await this.call('delete', draft);
    await this.call('delete', draft);
    await this.call('patch', draft, { fields: { title: 'One, again', price: 6 } });
    await this.call('patch', `${entries}/${second}/draft`, { fields: { extra: 'x'.repeat(100_000) } });

    const drafts = `/v1/content/${this.tenant.id}/drafts`;
    await this.call('get', drafts);
    await this.follow(`${drafts}?cursor=&per_page=1`);
    await this.call('get', `${drafts}?page=9`);
    for (const query of ['preview=true', 'has_draft=true', 'has_draft=false&preview=true', 'has_draft=1']) {
      await this.call('get', `${entries}?${query}`);
    }
    await this.call('get', `${entries}/${first}?preview=true`);

    const links = `${entries}/${first}/preview-links`;
    await this.call('post', links, { expires_in: 1 });
    const { body } = await this.call('post', links, { expires_in: 60 });
    const { pathname } = new URL((body as { data: { url: string } }).data.url);
    await this.visit(pathname);
    await this.call('delete', links);
    await this.visit(pathname);
  }

  /** Leaves a schedule of each of the entries, and has others carried out, one of them without success. */
  private async playSchedules(entries: string, first: string, second: string): Promise<void> {
    const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
    const schedule = `${entries}/${first}/schedule`;
    await this.call('get', schedule);
    await this.call('put', schedule, { publish_at: 'soon' });
    await this.call('put', schedule, { publish_at: inMs(60_000) });
    await this.call('delete', schedule);
    await this.call('delete', schedule);

    const doomed = await this.create(entries, { fields: { title: 'Deleted', price: 7 } });
    await this.call('put', `${entries}/${doomed}/schedule`, { unpublish_at: inMs(60_000) });
    await this.call('delete', `${entries}/${doomed}`);
    const passing = await this.create(entries, { fields: { title: 'Published and unpublished' } });
    const failing = await this.create(entries, { fields: { title: 'Fails' } });
    await this.call('patch', `${entries}/${failing}/draft`, { fields: { title: 'In conflict' } });
    await this.call('patch', `${entries}/${failing}`, { fields: { title: 'With this' } });
    await this.call('put', `${entries}/${failing}/schedule`, { publish_at: inMs(200) });
    await this.call('put', `${entries}/${passing}/schedule`, { publish_at: inMs(200), unpublish_at: inMs(210) });
    await until(async () => (await this.request('get', `${entries}/${passing}/schedule`)).status === 404);
    await until(async () => {
      const { body } = await this.request('get', `${entries}/${failing}/schedule`);
      return (body as { data: { state: string } }).data.state === 'failed';
    });
    await this.call('get', `${entries}/${failing}/schedule`);

    await this.call('put', schedule, { publish_at: inMs(3_600_000), unpublish_at: inMs(7_200_000) });
    await this.call('put', `${entries}/${second}/schedule`, { publish_at: inMs(3_600_000) });
    await this.call('get', schedule);
    const list = `/v1/content/${this.tenant.id}/schedule`;
    await this.call('get', list);
    await this.follow(`${list}?cursor=&per_page=1`);
    await this.call('get', `${list}?from=2026-01-01T00:00:00Z&to=soon`);
  }

  /** Refers to two entries, of which the second is large. */
  private async playReferences(entries: string, first: string, entry: string): Promise<void> {
    await this.call('patch', `${entries}/${entry}`, { fields: { extra: 'x'.repeat(100_000) } });
    for (const title of ['Four', 'Five']) await this.create(entries, { fields: { title, related: [first, entry] } });
    await this.call('get', `${entries}?include=related`);
    await this.call('get', `${entries}?include=related&preview=true&filter[title]=Four`);
    await this.call('get', `${entries}?include=related&filter[title]=Four&select=related.title`);
    await this.call('get', `${entries}/${entry}/referrers`);
    await this.follow(`${entries}/${entry}/referrers?cursor=&per_page=1`);
  }

  /** Reads a type by its slug, with a key and without. */
  private async playPublicContent(type: string, entry: string): Promise<void> {
    await this.call('get', type);
    await this.call('get', `${type}/entries`);
    await this.call('get', `${type}/entries/${entry}`);
    await this.visit(`${type}/entries`);
    const { body } = await this.call('put', type, { public: true });
    const { id } = (body as { data: { id: string } }).data;
    for (const name of [type, type.replace(/[^/]+$/, id)]) {
      await this.visit(`${name}/entries`);
      await this.visit(`${name}/entries/${entry}`);
    }
    await this.call('put', type, { public: false });
  }

  /** Creates records so large that lists read them while they are sent. */
  private async playLargeContent(): Promise<void> {
    const { types } = this;
    const large = await this.create(types, {
      name: 'Large',
      fields: [...LARGE_FIELDS, { name: 'extra', type: 'json' }],
    });
    await this.call('get', types);
    await this.create(`${types}/${large}/entries`, { fields: { extra: 'x'.repeat(100_000) }, status: 'published' });
    await this.call('get', `${types}/${large}/entries`);
    await this.call('get', `${types}/${large}/entries`, undefined, {
      Authorization: `Bearer ${this.tenant.publishedKey ?? this.tenant.key}`,
    });
    await this.call('delete', `${types}/${large}`);
  }

  private async playForms(): Promise<string> {
    const { forms } = this;
    const fields = [
      { name: 'email', type: 'email', required: true },
      { name: 'message', type: 'textarea', max: 200_000 },
    ];
    const form = await this.create(forms, { name: 'Contact', fields, notify_email: 'office@acme.example' });
    await this.create(forms, { name: 'Plain', fields });
    await this.create(forms, { name: 'Large', fields: LARGE_FIELDS });
    await this.call('post', forms, { name: 'Contact', slug: 'contact', fields });
    await this.call('post', forms, { name: 'Contact', fields: [], notify_email: 'nobody' });
    await this.call('get', forms);
    await this.create(forms, { name: 'Contact', fields });
    await this.follow(`${forms}?cursor=&per_page=1`);
    for (const name of [form, 'contact']) {
      await this.submit(`${forms}/${name}/submissions`, { email: `${name}@example.com`, message: 'Hello' });
    }
    await this.submit(`${forms}/contact/submissions`, { email: 'a@example.com', message: 'x'.repeat(100_000) });
    for (const name of ['b', 'c']) await this.submit(`${forms}/contact/submissions`, { email: `${name}@example.com` });
    await this.submit(`${forms}/contact/submissions`, { email: 'none', nope: 'x' });
    await this.submit(`${forms}/nope/submissions`, {});
    for (const query of [
      '',
      'page=2',
      'cursor=',
      'sort=email',
      'sort=message&page=5&per_page=1',
      'sort=-message&cursor=',
      'sort=message',
      'sort=nope',
    ]) {
      await this.call('get', `${forms}/${form}/submissions?${query}`);
    }
    await this.call('get', `${forms}/contact/submissions`);
    return form;
  }

  private async playWebhooks(): Promise<string> {
    const { webhooks } = this;
    const events = ['entry.created', 'entry.published', 'form.submitted'];
    // Nothing listens on this port, so deliveries fail and are retried later.
    const webhook = await this.create(webhooks, {
      url: 'https://127.0.0.1:1/hook',
      events,
      secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0',
    });
    await this.call('post', webhooks, { url: 'ftp://example.com', events: ['nope'], secret: '' });
    await this.call('get', webhooks);
    await this.call('get', `${webhooks}/${webhook}`);
    await this.call('patch', `${webhooks}/${webhook}`, { secret: 'another', url: 'https://127.0.0.1:1/other' });
    await this.call('patch', `${webhooks}/${webhook}`, { active: 'yes' });
    const doomed = await this.create(webhooks, { url: 'https://127.0.0.1:1/doomed', events });
    await this.call('patch', `${webhooks}/${doomed}`, { active: false });
    await this.call('post', `${webhooks}/${doomed}/test`);
    await this.call('delete', `${webhooks}/${doomed}`);
    await this.call('delete', `${webhooks}/${doomed}`);
    return webhook;
  }

  private async playDeliveries(webhook: string): Promise<string> {
    const path = `${this.webhooks}/${webhook}`;
    await this.call('post', `${path}/test`);
    const delivery = await until(async () => {
      const { body } = await this.request('get', `${path}/deliveries`);
      return (body as { data: { id: string; attempts: object[] }[] }).data.find(({ attempts }) => attempts.length > 0);
    });
    await this.call('get', `${path}/deliveries`);
    await this.call('get', `${path}/deliveries?cursor=&per_page=1`);
    await this.call('get', `${path}/deliveries?filter[status]=pending&filter[event_type]=entry.published`);
    await this.call('get', `${path}/deliveries?filter[status]=nope`);
    await this.call('post', `${path}/deliveries/${delivery.id}/redeliver`);
    await this.call('post', `${path}/redeliver`, { since: '2026-01-01T00:00:00Z' });
    await this.call('post', `${path}/redeliver`, { since: 'yesterday' });
    return delivery.id;
  }

  private async playMedia(): Promise<{ id: string; url: string; file: string }> {
    const upload = async (name: string, bytes: Buffer, alt: string) => {
      const test = request(this.app.url)
        .post(this.media)
        .set('Authorization', `Bearer ${this.tenant.key}`)
        .field('alt', alt)
        .attach('file', bytes, name);
      return (await this.record('post', this.media, test)).body as { data: { id: string; url: string } };
    };
    const { data } = await upload('tide.png', await files.png(), 'A tide');
    const file = new URL(data.url).pathname;
    await this.call('post', this.media, { file: 'no file' });
    await this.call('get', this.media);
    await upload('note.txt', Buffer.from('A note.'), '');
    await this.follow(`${this.media}?cursor=&per_page=1`);
    await this.call('get', `${this.media}/${data.id}`);
    await this.call('patch', `${this.media}/${data.id}`, { alt: 'A low tide' });
    await this.call('patch', `${this.media}/${data.id}`, { alt: 1 });
    await this.call('get', file);
    await this.call('get', `${file}?w=16&format=webp`);
    await this.call('get', `${this.media}/${data.id}/variant-url?w=16&format=webp`);
    await this.call('get', `${this.media}/${data.id}/variant-url?w=0`);
    const doomed = await upload('tide.png', await files.png(), '');
    await this.call('get', `${new URL(doomed.data.url).pathname}?w=16&format=webp`);
    await this.call('delete', `${this.media}/${doomed.data.id}`);
    await this.call('delete', `${this.media}/${doomed.data.id}`);
    return { id: data.id, url: data.url, file: file.split('/').at(-1) ?? '' };
  }

  private async playEvents(): Promise<void> {
    const path = `/v1/events/${this.tenant.id}`;
    await this.call('get', path);
    const { body } = await this.call('get', `${path}?cursor=&per_page=2`);
    const next = (body as { meta?: { next_cursor?: string } }).meta?.next_cursor;
    if (next) await this.call('get', `${path}?cursor=${next}`);
    await this.call('get', `${path}?cursor=nonsense`);
  }

  /** Requests the start of a list, and the page after it. */
  async follow(path: string): Promise<void> {
    const { body } = await this.call('get', path);
    const next = (body as { meta?: { next_cursor?: string } }).meta?.next_cursor;
    if (next) await this.call('get', path.replace('cursor=', `cursor=${next}`));
  }

  /** Throws unless the resource is created. Returns its ID. */
  async create(path: string, body: object): Promise<string> {
    const call = await this.call('post', path, body);
    if (call.status !== 201) throw new Error(`${path} answered ${call.status}: ${JSON.stringify(call.body)}`);
    return (call.body as { data: { id: string } }).data.id;
  }

  private async submit(path: string, fields: object): Promise<void> {
    await this.record(
      'post',
      path,
      request(this.app.url).post(path).set('X-Forwarded-For', newAddress()).send({ fields }),
    );
  }

  /** Sends a GET without a key. */
  private async visit(path: string): Promise<Call> {
    return this.record('get', path, request(this.app.url).get(path).set('X-Forwarded-For', newAddress()));
  }

  async call(method: Method, path: string, body?: object, headers: Record<string, string> = {}): Promise<Call> {
    return this.record(method, path, this.request(method, path, body, headers));
  }

  private request(method: Method, path: string, body?: object, headers: Record<string, string> = {}): request.Test {
    const test = request(this.app.url)[method](path).set('Authorization', `Bearer ${this.tenant.key}`).set(headers);
    return body === undefined ? test : test.send(body);
  }

  private async record(method: Method, path: string, test: request.Test): Promise<Call> {
    const { status, headers, body } = await test;
    const [contentType = ''] = (headers['content-type'] ?? '').split(';');
    const call = { method, path, status, contentType, body: body as unknown };
    this.calls.push(call);
    return call;
  }
}

function withoutFalse<T extends { unique?: boolean }>({ unique, ...rest }: T): object {
  return unique ? { ...rest, unique } : rest;
}

let addresses = 0;
function newAddress(): string {
  return `192.0.2.${addresses++ % 256}`;
}

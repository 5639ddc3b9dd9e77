import request from 'supertest';
import { ErasureTimes } from '../../src/forms/retention/erasure-times.js';
import { UnstoredTimes } from '../../src/forms/retention/unstored-times.js';
import { PublicUrl } from '../../src/http/public-url.js';
import { CreateSubmission } from '../../src/forms/submissions/create-submission.js';
import type { TestApp, TestTenant } from './app.js';
import type { Method } from './api.js';
import { timeToken } from './challenges.js';
import { scenariosOf } from './extensions.js';
import { files } from './files.js';
import { freshEmail, makePerson, signIn, tokenOf } from './people.js';
import { playSessions } from './session-scenario.js';
import { until } from './until.js';

/** A request and its response. */
export interface Call {
  method: Method;
  path: string;
  status: number;
  contentType: string;
  body: unknown;
  /** `X-Request-Id`. */
  requestId: string;
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
  { name: 'seo', type: 'group', fields: [{ name: 'title', type: 'text' }] },
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
    const forms = await this.playForms();
    const delivery_id = await this.playDeliveries(webhook);
    await this.playEvents();
    const key_id = await this.playKeys();
    const people = await this.playPeople();
    await playSessions(this, this.app);
    await this.playAudit(content['entry_id'] ?? '', key_id);
    await this.playUsage(media.id);
    await this.playContract();
    await this.playSchema();
    await this.playAssistant(content['entry_id'] ?? '');
    return {
      ...content,
      ...forms,
      ...people,
      key_id,
      webhook_id: webhook,
      delivery_id,
      media_id: media.id,
      file: media.file,
    };
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
    await this.call('put', `${types}/${type}`, { name: 'Story', preview_url: 'https://site.example/{slug}?{token}' });
    await this.call('put', `${types}/${type}`, { preview_url: 'https://site.example/{nope}' });
    const by = { name: 'by', type: 'reference', content_type: type };
    const more = [
      ...FIELDS,
      { name: 'related', type: 'reference', content_type: type, multiple: true },
      { name: 'sections', type: 'blocks', blocks: [{ name: 'quote', fields: [by, { name: 'image', type: 'media' }] }] },
    ];
    await this.call('put', `${types}/${type}`, { slug: 'stories', fields: more });
    await this.call('put', `${types}/${type}`, { fields: 'none' });

    await this.call('get', `${types}/storie`);

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
        seo: { title: 'Two Tides' },
        sections: [{ block: 'quote', by: first, image: { id: picture.id } }],
      },
      status: 'published',
    });
    await this.follow(`${this.media}/${picture.id}/usage?cursor=&per_page=1`);
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
      'filter[seo.title][contains]=Tídes&sort=-seo.title',
      'include=sections.by',
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
      'filter[related.title]=One',
      'filter[related.title][contains]=o&filter[related.status]=published&sort=price',
      'filter[related.price][ne]=1&filter[related.tags][exists]=false',
      'where={"or":[{"related.title":{"in":["One","Two"]}},{"not":{"related.created_at":{"gt":"2026-01-01"}}}]}&cursor=',
      'where={"or":[{"related.price":{"gte":1}},{"related.kind":"a","title":"Two"}]}&search=two',
      'filter[related.nope]=1',
      'include=related&preview=true&select=',
      'sort=nope',
      'filter[price]=dear',
    ]) {
      await this.call('get', `${entries}?${query}`);
    }
    await this.follow(`${entries}?cursor=&per_page=1&sort=price`);

    await this.call('get', `${entries}/${first}`);
    await this.call('get', `${entries}/${second}?include=related&select=title,price`);
    await this.call('get', `${entries}/by/slug/two?view=full&include=related`);
    await this.call('get', `${entries}?view=full&sort=-published_at&filter[published_at][ne]=2026-01-31`);
    await this.call('get', `${entries}/${second}?select=nope`);
    await this.call('patch', `${entries}/${first}`, {
      fields: { price: 3, tags: null, slug: 'uno' },
      status: 'published',
    });
    await this.call('patch', `${entries}/${first}`, { fields: { title: null } });
    await this.call('patch', `${entries}/${first}`, {}, { 'If-Match': '"v99"' });
    await this.call('get', `${entries}/${first}`, undefined, { 'If-None-Match': '*' });
    await this.call('delete', `${entries}/${second}`, undefined, { 'If-Match': '"v99"' });
    await this.playBulk(type, entries);
    await this.playHistory(`${entries}/${second}`);
    await this.call('delete', `${entries}/${second}`);
    await this.call('get', `${entries}/${second}`);
    const third = await this.create(entries, { fields: { title: 'Three' } });
    await this.playRepeated(entries);
    await this.playDrafts(entries, first, third);
    await this.playSchedules(entries, first, third);
    await this.playReferences(entries, first, third);
    await this.playGuards();
    const purge_id = await this.playLocales();

    await this.playPublicContent(`${types}/stories`, first);
    const change_id = await this.playSchemaChanges();

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
    return { content_type_id: type, entry_id: first, version: '1', code: 'de', change_id, purge_id };
  }

  private async playSchemaChanges(): Promise<string> {
    const number = { name: 'n', type: 'integer', unique: true };
    const text = { name: 't', type: 'text' };
    const type = await this.create(this.types, { name: 'Changing', fields: [number, text] });
    const path = `${this.types}/${type}`;
    const [entry] = [
      await this.create(`${path}/entries`, { fields: { n: 1, t: 'Tides' } }),
      await this.create(`${path}/entries`, { fields: { n: 2, t: 'Tides' } }),
    ];
    await this.call('patch', `${path}/entries/${entry}/draft`, { fields: { t: 'Draft' } });
    const renamed = [
      { ...number, name: 'm', renamed_from: 'n' },
      { ...text, type: 'rich_text' },
    ];
    await this.call('put', `${path}?dry_run=true`, { fields: renamed });
    await this.call('put', path, { fields: [number, { ...text, renamed_from: 'x' }] });
    await this.call('put', path, { name: 'Stale' }, { 'If-Match': '"v99"' });
    await this.changed(path, renamed);
    await this.call('get', `${path}/entries/${entry}/versions/1`);
    await this.call('put', path, { fields: [{ ...number, name: 'o', renamed_from: 'm' }, text] });
    return this.changed(path, [{ ...text, unique: true }]);
  }

  /** Changes the fields of a type in the background. Returns the ID of the change. */
  private async changed(path: string, fields: object[]): Promise<string> {
    const { body } = await this.call('put', path, { fields }, { Prefer: 'respond-async' });
    const { id } = (body as { data: { id: string } }).data;
    const change = `/v1/content/${this.tenant.id}/changes/${id}`;
    await until(async () => (await this.request('get', change)).body.data.state !== 'running');
    await this.call('get', change);
    return id;
  }

  /** Repeats a request, and uses its key for another one. */
  private async playRepeated(entries: string): Promise<void> {
    const key = { 'Idempotency-Key': 'once' };
    const body = { fields: { title: 'Repeated' } };
    for (let times = 0; times < 2; times++) await this.call('post', entries, body, key);
    await this.call('post', entries, {}, key);
    await this.call('post', entries, body, { 'Idempotency-Key': 'with spaces' });
  }

  /** Changes many entries of the type at once, and imports and exports some. */
  private async playBulk(type: string, entries: string): Promise<void> {
    const bulk = async (operations: object[], options: object = {}) => {
      const { body } = await this.call('post', `/v1/content/${this.tenant.id}/bulk`, { operations, ...options });
      return (body as { data?: { entry_id: string }[] }).data?.map(({ entry_id }) => entry_id) ?? [];
    };
    const of = (op: string, more: object) => ({ op, content_type: type, ...more });
    const [one, two = ''] = await bulk([
      of('create', { ref: 'one', fields: { title: 'Bulk one', slug: 'bulk-one' }, status: 'published' }),
      of('upsert', { key: { slug: 'bulk-two' }, fields: { title: 'Bulk two', related: [{ $ref: 'one' }], price: 1 } }),
    ]);
    await this.call('put', `${entries}/${two}/schedule`, {
      publish_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await bulk([
      of('update', { entry_id: one, fields: { slug: 'bulk-1', price: 2 }, if_match: '"v1"' }),
      of('upsert', { key: { slug: 'bulk-two' }, fields: { price: 3, related: [one] } }),
    ]);
    await bulk([of('create', { fields: {} }), of('update', { entry_id: two, if_match: '"v99"' })]);
    await bulk([of('create', { fields: {} })], { atomic: false, dry_run: true });
    await bulk([of('delete', { entry_id: one }), of('delete', { entry_id: two })]);
    await bulk([{ op: 'nope' }]);

    const lines = '{"fields":{"title":"Line","slug":"line"}}\n{"fields":{}}\n';
    await this.load(`${entries}/import?key=slug`, 'application/x-ndjson', lines);
    const kept = '{"id":"ent_01hn5rw000e008000000000001","fields":{"title":"Kept"}}\n';
    for (let times = 0; times < 2; times++) {
      await this.load(`${entries}/import?keep_ids=true`, 'application/x-ndjson', kept);
    }
    await this.load(`${entries}/import?dry_run=true`, 'text/csv', 'title,status\nCell,published\n');
    await this.load(`${entries}/import`, 'text/csv', 'nope\n');
    await this.load(`${entries}/import`, 'text/csv', '"title');
    await this.load(`${entries}/import`, 'text/plain', '');
    await this.call('get', `${entries}/export?sort=title&select=title`);
    await this.call('get', `${entries}/export?format=csv&filter[title]=Line`);
    await this.call('get', `${entries}/export?format=xml`);
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
    await this.playAppliedDrafts(entries);
    await this.playReviews(entries, first, second);
    await this.playPresence(`${entries}/${first}`);

    const search = `/v1/content/${this.tenant.id}/search`;
    await this.call('get', `${search}?search=one`);
    await this.call('get', `${search}?search=ti&types=stories&per_page=1`);
    await this.call('get', `${search}?search=one&types=nope`);
    await this.call('get', search);

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

  /** Folds drafts into an entry that is not published, which is deleted. */
  private async playAppliedDrafts(entries: string): Promise<void> {
    await this.call('post', `${entries}?incomplete=true`, { fields: {}, status: 'published' });
    const entry = `${entries}/${await this.create(`${entries}?incomplete=true`, { fields: {} })}`;
    await this.call('patch', entry, { status: 'published' });
    await this.call('patch', entry, { fields: { title: 'Begun' } });
    const [draft, apply] = [`${entry}/draft`, `${entry}/draft/apply`];
    await this.call('post', apply);
    await this.call('patch', draft, { fields: { price: 1 } }, { 'If-None-Match': '*' });
    await this.call('patch', draft, { fields: { price: 2 } }, { 'If-None-Match': '*' });
    await this.call('patch', draft, { fields: { price: 2 } }, { 'If-None-Match': '"d1"' });
    await this.call('post', apply, undefined, { 'If-Match': '"d99"' });
    await this.call('post', apply, undefined, { 'If-Match': '"d1"' });
    await this.call('patch', draft, { fields: { price: 3 } });
    await this.call('patch', entry, { fields: { price: 4 } });
    await this.call('post', apply);
    await this.call('post', `${apply}?force=maybe`);
    await this.call('post', `${apply}?force=true`);
    await this.call('patch', draft, { fields: { price: 5 } });
    await this.call('patch', entry, { status: 'published' });
    await this.call('post', apply);
    await this.call('delete', entry);
  }

  /** Leaves reviews of the drafts of two entries, of which the second is large, and of an entry that is not published. */
  private async playReviews(entries: string, first: string, second: string): Promise<void> {
    const review = `${entries}/${first}/draft/review`;
    await this.call('delete', review);
    await this.call('put', review, { note: 5 });
    await this.call('put', review, { note: 'Ready' }, { 'If-Match': '"d99"' });
    await this.call('put', review, { note: 'Ready' });
    await this.call('get', `${entries}/${first}/draft`);
    await this.call('delete', review);
    const own = await this.create(entries, { fields: { title: 'Not published' } });
    for (const id of [first, second, own]) await this.call('put', `${entries}/${id}/draft/review`, {});
    await this.call('get', `${entries}/${own}/draft`);
    const drafts = `/v1/content/${this.tenant.id}/drafts`;
    for (const query of ['review=true', 'review=false', 'review=1', 'mine=true'])
      await this.call('get', `${drafts}?${query}`);
    await this.follow(`${drafts}?review=true&cursor=&per_page=1`);
    await this.follow(`${drafts}?mine=true&cursor=&per_page=1`);
    await this.call('patch', `${entries}/${own}`, { status: 'published' });
    await this.call('delete', `${entries}/${own}`);
  }

  /** Leaves somebody at the entry. */
  private async playPresence(entry: string): Promise<void> {
    const presence = `${entry}/presence`;
    for (const method of ['get', 'put', 'put', 'get', 'delete', 'delete', 'put'] as const)
      await this.call(method, presence);
    const missing = presence.replace(/ent_[^/]+/, 'ent_01k9mzh6xze3n8mqsd5wkxp2zt');
    for (const method of ['get', 'put', 'delete'] as const) await this.call(method, missing);
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
    await this.call('get', `${entries}?include=related&preview=true&view=full&filter[title]=Four`);
    await this.call('get', `${entries}?include=related&filter[title]=Four&select=related.title`);
    await this.call('get', `${entries}/${entry}/referrers`);
    await this.follow(`${entries}/${entry}/referrers?cursor=&per_page=1`);
    await this.call('get', `${entries}?filter[related.title][ne]=One`, undefined, this.published);
    await this.call('get', `${entries}?filter[related.title]=One`, undefined, this.published);
  }

  /** Writes, publishes and takes off values in several locales, and returns the purge of one. */
  private async playLocales(): Promise<string> {
    const path = `/v1/locales/${this.tenant.id}`;
    await this.call('get', path);
    await this.call('put', path, { default: 'fr', locales: [] });
    const locales = [{ code: 'en' }, { code: 'de' }, { code: 'fr', fallback: null }];
    await this.call('put', path, { default: 'en', locales });
    const fields = [
      { name: 'title', type: 'text', localized: true },
      { name: 'next', type: 'reference', content_type: 'page', localized: true, on_delete: 'clear' },
    ];
    const type = await this.create(this.types, { name: 'Page', fields });
    const entries = `${this.types}/${type}/entries`;
    const values = { title: { en: 'Tides', de: 'Gezeiten' } };
    const entry = await this.create(`${entries}?locale=*`, { fields: values, status: 'published' });
    const other = await this.create(`${entries}?locale=*`, { fields: { next: { de: entry } }, status: 'published' });
    for (const query of ['locale=de', 'locale=de&fallback=none', 'locale=*', 'locale=DE', 'translated=de']) {
      await this.call('get', `${entries}/${entry}?${query}`);
      await this.call('get', `${entries}?${query}&filter[title][contains]=gez&sort=title`);
    }
    await this.call('patch', `${entries}/${other}/draft?locale=*`, { fields: { title: { en: 'Ebb', de: 'Ebbe' } } });
    await this.call('post', `${entries}/${other}/draft/publish?locale=de`);
    const both = { en: 'Ebb', de: 'Tide' };
    const drafted = { title: both, next: { de: other } };
    await this.call('patch', `${entries}/${entry}/draft?locale=*`, { fields: drafted });
    await this.call('post', `${entries}/${entry}/draft/publish?locale=de`);
    await this.call('delete', `${entries}/${entry}/draft?locale=en`);
    await this.call('get', `${entries}/${entry}/locales`);
    await this.call('get', `${this.types}/${type}/locales`);
    for (const live of [false, true]) await this.call('put', `${entries}/${entry}/locales/de`, { live });
    await this.call('put', `${entries}/${entry}/locales/en`, { live: false });
    await this.playLocalizedSearch(entries, entry, other);
    const at = { publish_at: '2100-01-01T00:00:00Z' };
    await this.call('put', `${entries}/${entry}/schedule`, { ...at, locales: ['de'] });
    await this.call('delete', `${entries}/${entry}/schedule`);
    // Of the purged locale, there are values in a draft, a version, and an entry.
    await this.call('patch', `${entries}/${other}/draft?locale=de`, { fields: { title: 'Flut' } });
    await this.call('put', path, { default: 'en', locales: [locales[0]] });
    await this.call('delete', `${path}/en?purge=true`);
    const { body } = await this.call('delete', `${path}/de?purge=true`);
    const { id } = (body as { data: { id: string } }).data;
    const purge = `${path}/purges/${id}`;
    await until(async () => (await this.request('get', purge)).body.data.state === 'done');
    await this.call('get', purge);
    await this.call('delete', `${this.types}/${type}`);
    return id;
  }

  /** Changes what is searched in locales in each way, and searches it. */
  private async playLocalizedSearch(entries: string, entry: string, other: string): Promise<void> {
    const path = `${entries}/${entry}`;
    await this.call('get', `${this.types}/page/entries/${entry}?locale=de`);
    await this.call('patch', `${path}?locale=de`, { fields: { title: 'Gezeiten' } });
    const search = `${entries}?search=gezeiten&locale=de`;
    for (const query of ['', '&fallback=none', '&highlight=true', '&referenced=true', '&sort=title', '&cursor=']) {
      await this.call('get', `${search}${query}`);
    }
    await this.call('get', `${entries}?search=gezeitem ebbe&fuzzy=true&locale=de`);
    const all = `/v1/content/${this.tenant.id}/search`;
    await this.call('get', `${all}?search=gezei&locale=de`);
    await this.call('get', `${all}?search=gezei&locale=nl`);
    await this.call('patch', `${path}/draft?locale=de`, { fields: { title: 'Flut' } });
    await this.call('post', `${path}/draft/publish`);

    // Of a part without words, documents stay as they are.
    for (const next of [null, other]) {
      await this.call('patch', `${path}/draft?locale=*`, { fields: { title: { en: 'Rest' }, next: { de: next } } });
      await this.call('post', `${path}/draft/publish?locale=de`);
    }
    await this.call('delete', `${path}/draft`);

    const keys = await this.call('post', `/v1/keys/${this.tenant.id}`, { name: 'Author', scopes: ['content:draft'] });
    const author = { Authorization: `Bearer ${(keys.body as { data: { key: string } }).data.key}` };
    const begun = await this.create(entries, { fields: { title: 'Begun' } });
    const own = `${entries}/${begun}`;
    await this.call('patch', own, { fields: { title: 'Begun again' } }, author);
    await this.call('patch', `${own}/draft`, { fields: { title: 'Folded' } });
    await this.call('post', `${own}/draft/apply`);
    await this.call('patch', `${own}/draft`, { fields: { title: 'Folded too' } });
    await this.call('patch', own, { fields: { title: 'In between' } });
    await this.call('post', `${own}/draft/apply?force=true`, undefined, author);
    await this.call('patch', own, { fields: { title: 'Done' }, status: 'published' });
    await this.call('delete', own);

    const bulk = `/v1/content/${this.tenant.id}/bulk`;
    const send = (operation: object) =>
      this.call('post', bulk, { operations: [{ content_type: 'page', ...operation }] });
    const { body } = await send({ op: 'create', fields: { title: 'Many' } });
    const [{ entry_id }] = (body as { data: [{ entry_id: string }] }).data;
    for (const title of ['Viele', null]) await send({ op: 'update', entry_id, locale: 'de', fields: { title } });
    await send({ op: 'delete', entry_id });
  }

  private async playGuards(): Promise<void> {
    const { types } = this;
    const topics = await this.create(types, { name: 'Topic', fields: [{ name: 'name', type: 'text' }] });
    const reference = { name: 'topic', type: 'reference', content_type: topics };
    const notes = await this.create(types, {
      name: 'Note',
      fields: [
        { ...reference, on_delete: 'clear' },
        { ...reference, name: 'main', on_delete: 'refuse' },
      ],
    });
    await this.call('put', `${types}/${topics}`, { fields: [{ ...reference, on_delete: 'clear', required: true }] });
    const [topicEntries, noteEntries] = [`${types}/${topics}/entries`, `${types}/${notes}/entries`];
    const first = await this.create(topicEntries, { fields: { name: 'first' } });
    const second = await this.create(topicEntries, { fields: { name: 'second' } });
    const note = await this.create(noteEntries, { fields: { topic: first, main: first } });
    const drafted = await this.create(noteEntries, { fields: { topic: first } });
    await this.playDrafter(notes, drafted, second);
    await this.call('delete', `${noteEntries}/${drafted}`);
    await this.call('delete', `${topicEntries}/${first}`);
    await this.call('delete', `${types}/${topics}`);
    await this.call('patch', `${noteEntries}/${note}`, { fields: { main: null, topic: first } });
    await this.call('patch', `${noteEntries}/${note}/draft`, { fields: { topic: second } });
    await this.call('post', `${noteEntries}/${note}/draft/publish`);
    await this.call('delete', `${topicEntries}/${first}`);
    await this.call('delete', `${topicEntries}/${second}`);
    const bulk = (...operations: object[]) =>
      this.call('post', `/v1/content/${this.tenant.id}/bulk`, { operations, atomic: false });
    const fourth = await this.create(topicEntries, { fields: { name: 'fourth' } });
    const remove = { op: 'delete', content_type: topics, entry_id: fourth };
    await bulk({ op: 'update', content_type: notes, entry_id: note, fields: { main: fourth } }, remove);
    await bulk({ op: 'update', content_type: notes, entry_id: note, fields: { main: null, topic: fourth } }, remove);
    const third = await this.create(topicEntries, { fields: { name: 'third' } });
    await this.call('patch', `${noteEntries}/${note}`, { fields: { topic: third } });
    await this.call('delete', `${types}/${topics}`);
    await this.call('delete', `${types}/${notes}`);
  }

  /** Changes an entry that is not published, with a key that may not publish, and publishes it with another key. */
  private async playDrafter(type: string, entry: string, topic: string): Promise<void> {
    const { body } = await this.call('post', `/v1/keys/${this.tenant.id}`, {
      name: 'Drafter',
      scopes: ['content:draft'],
    });
    const drafter = { Authorization: `Bearer ${(body as { data: { key: string } }).data.key}` };
    const path = `${this.types}/${type}/entries/${entry}`;
    const bulk = `/v1/content/${this.tenant.id}/bulk`;
    const update = (more: object) => ({ operations: [{ op: 'update', content_type: type, entry_id: entry, ...more }] });
    await this.call('patch', path, { fields: { topic: null } }, drafter);
    await this.call('patch', path, { fields: { topic } }, drafter);
    for (const [value, by] of [
      [null, {}],
      [topic, {}],
      [null, drafter],
      [topic, drafter],
    ] as const) {
      await this.call('patch', `${path}/draft`, { fields: { topic: value } });
      await this.call('post', `${path}/draft/apply?force=true`, undefined, by);
    }
    await this.call('patch', path, { status: 'published' }, drafter);
    await this.call('post', bulk, update({ fields: { topic: null } }), drafter);
    await this.call('post', bulk, update({ status: 'published' }), drafter);
    await this.call('put', `${path}/draft/review`, { note: 'Ready' }, drafter);
    await this.call('post', bulk, update({ status: 'published' }));
    await this.call('post', bulk, update({ status: 'draft' }));
    await this.call('patch', path, { fields: { topic }, status: 'published' });
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
    await this.call('get', `${types}/${large}/entries`, undefined, this.published);
    await this.call('delete', `${types}/${large}`);
  }

  /** The headers of a request that reads published entries only. */
  private get published(): Record<string, string> {
    return { Authorization: `Bearer ${this.tenant.publishedKey ?? this.tenant.key}` };
  }

  private async playForms(): Promise<Resources> {
    const { forms } = this;
    const fields = [
      { name: 'email', type: 'email', required: true },
      { name: 'message', type: 'textarea', max: 200_000 },
    ];
    const withFile = [...fields, { name: 'cv', type: 'file', max_bytes: 100_000, accept: ['image/*'] }];
    const contact = { name: 'Contact', fields: withFile, notify_email: 'office@acme.example' };
    const form = await this.create(forms, contact);
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
    await this.submitTogether('contact', ['d', 'e']);
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
    await this.playFormChanges(fields);
    await this.playSpam(fields);
    await this.playSpamFiles(withFile);
    await this.submitFile(`${forms}/${form}`, files.pdf());
    await this.submitFile(`${forms}/${form}`, await files.png());
    const { body } = await this.call('get', `${forms}/${form}/submissions`);
    const [submission, earlier] = (body as { data: { id: string }[] }).data;
    const path = `${forms}/${form}/submissions`;
    const file_id = await this.playFiles(`${path}/${submission?.id}`, `${path}/${earlier?.id}`);
    await this.playInbox(`${forms}/${form}`, submission?.id ?? '');
    await this.call('get', `${forms}/${form}/submissions/${submission?.id}/mails`);
    await this.playMails(fields);
    await this.playUnstored(fields);
    const erasure = await this.playErasures();
    return { form_id: form, submission_id: submission?.id ?? '', file_id, erasure_id: erasure };
  }

  private async playMails(fields: object[]): Promise<void> {
    const settings = {
      notify: [{ to: ['b@example.com'], when: { field: 'email', equals: 'visitor@example.com' } }],
      autoresponder: { field: 'email', subject: 'Thanks', text: 'Thank you.' },
      spam: { honeypot: 'website', min_seconds: 1 },
      retention_days: 30,
    };
    const form = await this.create(this.forms, { name: 'Answering', fields, settings });
    const _t = timeToken(this.app, { tenantId: this.tenant.id, formId: form }, 60);
    await this.submit(`${this.forms}/${form}/submissions`, { email: 'visitor@example.com', _t });
    await this.submit(`${this.forms}/${form}/submissions`, { email: 'visitor@example.com' });
    await this.call('get', `${this.forms}/${form}`);
  }

  /** Submits a form with a file. Returns the path of the submission. */
  private async submitFile(form: string, bytes: Buffer, values: Record<string, string> = {}): Promise<string> {
    const test = request(this.app.url)
      .post(`${form}/submissions`)
      .set('X-Forwarded-For', newAddress())
      .field({ email: 'f@example.com', ...values })
      .attach('cv', bytes, 'cv.png');
    const { body } = await this.record('post', `${form}/submissions`, test);
    return `${form}/submissions/${(body as { data?: { id: string } }).data?.id}`;
  }

  /** Returns the ID of the file of a submission. */
  private async playFiles(submission: string, other: string): Promise<string> {
    const { body } = await this.call('get', submission);
    const file = (body as { data: { files: { id: string }[] } }).data.files[0]?.id ?? '';
    await this.call('get', `${submission}/files/${file}`);
    await this.call('get', `${submission}/files/${file}`, undefined, { Range: 'bytes=0-9' });
    await this.call('get', `${other}/files/${file}`);
    for (const action of ['mark-spam', 'release']) await this.call('post', `${submission}/${action}`);
    return file;
  }

  private async playSpamFiles(fields: object[]): Promise<void> {
    const settings = { rate_limit: 600, spam: { honeypot: 'website' } };
    const form = `${this.forms}/${await this.create(this.forms, { name: 'Uploads', fields, settings })}`;
    const spam = await this.submitFile(form, await files.gif(), { website: 'x' });
    await this.app.database.query(
      `UPDATE scheduled_jobs SET due_at = now(), next_at = now() WHERE tenant_id = $1 AND kind = 'spam_files'`,
      [this.tenant.id],
    );
    await until(async () => (await this.request('get', spam)).body.data.files.length === 0);
  }

  private async playUnstored(fields: object[]): Promise<void> {
    Object.assign(this.app.get(UnstoredTimes), { first: 50, again: 100 });
    const settings = { store: false, spam: { honeypot: 'website' } };
    const form = `${this.forms}/${await this.create(this.forms, { name: 'Unstored', fields, settings })}`;
    await this.submit(`${form}/submissions`, { email: 'unstored@example.com', website: 'x' });
    const { body } = await this.request('get', `${form}/submissions?verdict=spam`);
    await this.call('post', `${form}/submissions/${body.data[0].id}/release`);
  }

  private async playErasures(): Promise<string> {
    const erasures = `${this.forms}/erasures`;
    await this.call('post', erasures, { email: 'none' });
    this.app.get(ErasureTimes).late = 0;
    const { body } = await this.call('post', erasures, { email: 'b@example.com' });
    const { id } = (body as { data: { id: string } }).data;
    await until(async () => (await this.request('get', `${erasures}/${id}`)).body.data.state === 'done');
    await this.call('get', `${erasures}/${id}`);
    return id;
  }

  private async playInbox(form: string, submission: string): Promise<void> {
    const path = `${form}/submissions/${submission}`;
    await this.call('get', path);
    await this.call('patch', path, { state: 'done', note: 'Answered' });
    await this.call('patch', path, { state: 'open', note: 5 });
    for (const query of [
      'filter[email][contains]=b&sort=email',
      'filter[email]=b@example.com&verdict=any&view=full',
      'filter[message][exists]=false&sort=-message&cursor=',
      'filter[email][ne]=b@example.com&state=done&from=2020-01-01T00:00:00Z',
      'search=hello&sort=email',
      'search=hello&verdict=spam&state=new',
      'filter[nope]=x',
    ]) {
      await this.call('get', `${form}/submissions?${query}`);
    }
    for (const format of ['csv', 'ndjson', 'xml'])
      await this.call('get', `${form}/submissions/export?format=${format}`);
    await this.call('get', `${form}/stats?days=2`);
    await this.call('get', `${form}/stats?days=0`);
  }

  private async playFormChanges(fields: object[]): Promise<void> {
    const { forms } = this;
    const form = `${forms}/${await this.create(forms, { name: 'Changing', fields, settings: { rate_limit: 600 } })}`;
    for (const name of ['d', 'e', 'f', 'g']) await this.submit(`${form}/submissions`, { email: `${name}@example.com` });
    await this.call('get', form);
    await this.call('get', `${forms}/changing`);
    await this.call('get', `${forms}/changin`);
    const changed = [
      { name: 'email', type: 'text' },
      { name: 'topic', type: 'text' },
    ];
    await this.call('patch', form, { fields: changed, settings: { retention_days: 30 } });
    await this.call('patch', form, { settings: { notify: [{ to: ['nobody'] }] } });
    await this.load(
      `${form}/submissions/import`,
      'application/x-ndjson',
      '{"fields":{"email":"old@example.com","left":"x"}}\n{"fields":7}\n',
    );
    const { body } = await this.call('get', `${form}/submissions`);
    const [first, ...others] = (body as { data: { id: string }[] }).data.map(({ id }) => id);
    await this.call('delete', `${form}/submissions/${first}`);
    await this.call('delete', `${form}/submissions/${first}`);
    await this.call('post', `${form}/submissions/delete`, { ids: others.slice(0, 2) });
    await this.call('delete', form);
  }

  private async playSpam(fields: object[]): Promise<void> {
    const spam = { honeypot: 'website', duplicates_within: 60, challenge: true };
    const form = `${this.forms}/${await this.create(this.forms, { name: 'Guarded', fields, settings: { spam } })}`;
    await this.call('get', `${form}/challenge`);
    for (let times = 0; times < 2; times++) {
      await this.submit(`${form}/submissions`, { email: 'spam@example.com', website: 'x' });
    }
    await this.call('get', form);
    await this.call('patch', form, { settings: { spam: { max_links: 0 } } });
    await this.submit(`${form}/submissions`, { email: 'ok@example.com' });
    const { body } = await this.call('get', `${form}/submissions`);
    const [ok] = (body as { data: { id: string }[] }).data;
    for (const action of ['mark-spam', 'mark-spam', 'release']) {
      await this.call('post', `${form}/submissions/${ok?.id}/${action}`);
    }
    // Rows of an index that is being written anew.
    await this.call('patch', form, { fields: [{ name: 'email', type: 'text' }] });
    await this.call('post', `${form}/submissions/${ok?.id}/mark-spam`);
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
    const options = {
      headers: { 'X-Site': 'acme' },
      filters: { status: 'published' },
      payload: 'thin',
      signature: 'ed25519',
      max_concurrency: 5,
      ordered: true,
    };
    await this.create(webhooks, { url: 'https://127.0.0.1:1/filtered', events, ...options });
    const doomed = await this.create(webhooks, { url: 'https://127.0.0.1:1/doomed', events });
    await this.call('patch', `${webhooks}/${doomed}`, { active: false });
    await this.call('post', `${webhooks}/${doomed}/test`);
    await this.call('delete', `${webhooks}/${doomed}`);
    await this.call('delete', `${webhooks}/${doomed}`);
    return webhook;
  }

  private async playDeliveries(webhook: string): Promise<string> {
    const path = `${this.webhooks}/${webhook}`;
    await this.call('patch', path, { filters: { content_types: ['article'], forms: ['contact'] } });
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
    await this.call('get', `${path}/stats`);
    await this.call('get', `${path}/stats?hours=0`);
    await this.call('post', `${path}/replay`, { from: '2026-01-01T00:00:00Z', types: ['form.submitted'] });
    await this.call('post', `${path}/replay`, { from: 'yesterday', types: [], dry_run: 1 });
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
    await this.call('post', this.media, { url: 'https://localhost:1/no-file.png' });
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
    await this.call('get', '/v1/event-types');
    await this.call('get', path);
    const { body } = await this.call('get', `${path}?cursor=&per_page=2`);
    const next = (body as { meta?: { next_cursor?: string } }).meta?.next_cursor;
    if (next) await this.call('get', `${path}?cursor=${next}`);
    await this.call('get', `${path}?cursor=nonsense`);
    await this.call('get', `${path}?types=form.submitted,entry.deleted&since=2026-01-01T00:00:00Z`);
    await this.call('get', `${path}?types=nope`);
  }

  /** Makes keys, of which some are limited to content types, and uses them. */
  private async playKeys(): Promise<string> {
    const keys = `/v1/keys/${this.tenant.id}`;
    const make = async (body: object, headers: Record<string, string> = {}) => {
      const call = await this.call('post', keys, { name: 'A key', ...body }, headers);
      if (call.status !== 201) throw new Error(`${keys} answered ${call.status}: ${JSON.stringify(call.body)}`);
      const { id, key } = (call.body as { data: { id: string; key: string } }).data;
      return { id, by: { Authorization: `Bearer ${key}` } };
    };
    const maker = await make({ scopes: ['*'], expires_in: 3600 });
    await make({ scopes: ['read'] }, maker.by);
    const german = await make({ scopes: ['content:write', 'keys:write'], locales: ['de'] });
    await this.call('post', keys, { name: 'French', scopes: ['content:draft'], locales: ['fr'] }, german.by);
    await this.call('post', keys, { name: '', scopes: ['nope', 'content:read@nope'], locales: 'de' });
    const all = (await this.call('get', this.types)).body as { data: { id: string; slug: string }[] };
    const [{ id: type, slug } = { id: '', slug: '' }] = all.data;
    const limited = await make({ scopes: [`content:read@${slug}`, `content:write@${type}`, 'events:read'] });
    await this.call('get', this.types, undefined, limited.by);
    await this.call('get', `${this.types}/${slug}/entries`, undefined, limited.by);
    await this.call('get', `${this.types}/nope/entries`, undefined, limited.by);
    await this.call('get', `/v1/events/${this.tenant.id}?per_page=100`, undefined, limited.by);
    const several = await make({ scopes: all.data.map(({ id }) => `content:read@${id}`) });
    const first = await this.call('get', `${this.types}?cursor=&per_page=1`, undefined, several.by);
    const next = (first.body as { meta: { next_cursor: string } }).meta.next_cursor;
    await this.call('get', `${this.types}?cursor=${next}`, undefined, several.by);
    await this.call('get', `${this.types}/${type}/entries`, undefined, several.by);
    await this.call('get', keys);
    await this.call('post', `${keys}/${several.id}/adopt`);
    await this.call('post', `${keys}/${maker.id}/adopt`, undefined, limited.by);
    await this.call('delete', `${keys}/${maker.id}`);
    await this.call('delete', `${keys}/${maker.id}`);
    return limited.id;
  }

  /** Makes roles and members. Somebody accepts an invitation, and somebody who is known elsewhere does so in a session. */
  private async playPeople(): Promise<Resources> {
    const [roles, users] = [`/v1/roles/${this.tenant.id}`, `/v1/users/${this.tenant.id}`];
    const role = await this.create(roles, { name: 'Translator', scopes: ['content:read'], locales: ['de'] });
    await this.call('post', roles, { name: 'OWNER', scopes: ['read'] });
    await this.call('post', roles, { name: '', scopes: ['nope'], locales: 'de' });
    await this.call('get', roles);
    await this.call('get', `${roles}/${role}`);
    await this.call('patch', `${roles}/${role}`, { name: 'translators', scopes: ['*'], locales: null });
    const unused = await this.create(roles, { name: 'Unused', scopes: ['read'] });
    await this.call('delete', `${roles}/${unused}`);

    const user = await this.create(users, { email: freshEmail(), role: 'translators', name: 'Ada' });
    await this.call('post', users, { email: 'nobody', role: 'viewer' });
    await this.call('post', users, { email: freshEmail(), role: 'nope' });
    await this.call('delete', `${roles}/${role}`);
    const owner = await this.accept(await this.create(users, { email: freshEmail(), role: 'owner' }), {
      name: 'Grace Hopper',
      password: 'four unusual words of mine',
    });
    const known = await makePerson(this.app, [this.app.tenant().id]);
    const { cookie } = await signIn(this.app, { email: known.email, password: known.password });
    const second = await this.create(users, { email: known.email, role: 'editor' });
    const inSession = { Cookie: cookie, 'X-Trivet-Console': '1', Origin: this.app.get(PublicUrl).base };
    await this.accept(second, undefined, inSession);
    await this.call('get', `/v1/invitations/tvi_${'x'.repeat(49)}`);
    await this.call('get', users);
    await this.follow(`${users}?cursor=&per_page=1`);
    for (const query of ['role=owner&search=GRACE', `role=${role}`, 'role=nope']) {
      await this.call('get', `${users}?${query}`);
    }
    await this.call('get', `${users}/${user}`);
    await this.call('post', `${users}/${user}/invite`);
    await this.call('patch', `${users}/${user}`, { role: 'viewer' });
    await this.call('patch', `${users}/${owner}`, { role: 'viewer' });
    await this.call('patch', `${roles}/${role}`, { scopes: ['read'] });
    await this.call('delete', `${users}/${owner}`);
    await this.call('delete', `${users}/${second}`);
    const third = await this.create(users, { email: freshEmail(), role: 'owner' });
    await this.accept(third, { name: 'Alan Turing', password: 'four unusual words of mine' });
    await this.call('delete', `${users}/${owner}`);
    return { role_id: role, user_id: user };
  }

  /** Accepts an invitation, whose token is not known from the response. Returns the ID of the member. */
  private async accept(user: string, body?: object, headers: Record<string, string> = {}): Promise<string> {
    const path = `/v1/invitations/${await tokenOf(this.app, this.tenant.id, user)}`;
    await this.call('get', path);
    const { status } = await this.record('post', path, request(this.app.url).post(path).set(headers).send(body));
    if (status !== 201) throw new Error(`${path} answered ${status}`);
    return user;
  }

  private async playAudit(entry: string, key: string): Promise<void> {
    const audit = `/v1/audit/${this.tenant.id}`;
    await this.call('get', audit);
    await this.follow(`${audit}?cursor=&per_page=1`);
    for (const query of [
      `resource=${entry}&action=published`,
      `actor=${key}&from=2026-01-01T00:00:00Z&to=2100-01-01T00:00:00Z`,
      'action=deleted',
      `resource=${key}`,
      'actor=nobody',
      'from=yesterday',
      'cursor=nonsense',
      'page=2',
    ]) {
      await this.call('get', `${audit}?${query}`);
    }
  }

  private async playSchema(): Promise<void> {
    const path = `/v1/schema/${this.tenant.id}`;
    await this.call('get', path);
    const document = {
      types: [{ name: 'Pushed', slug: 'pushed', fields: FIELDS }],
      forms: [{ name: 'Pushed', slug: 'pushed', fields: [{ name: 'email', type: 'email' }] }],
      webhooks: [{ url: 'https://hooks.example.com/pushed', events: ['entry.published'], active: false }],
    };
    for (const one of [document, { ...document, types: [{ name: 'Pushed', slug: 'pushed', fields: [] }] }, 'nonsense'])
      await this.call('post', `${path}/plan`, { document: one });
    for (const one of [document, { types: [], forms: [], webhooks: [] }]) {
      const { body } = await this.call('post', `${path}/plan`, { document: one });
      const { hash } = (body as { data: { hash: string } }).data;
      await this.call('post', `${path}/apply`, { document: one, hash });
    }
    await this.call('post', `${path}/apply`, { document, hash: 'stale' });
    await this.call('post', `/v1/keys/${this.tenant.id}/sign-in-links`);
  }

  private async playContract(): Promise<void> {
    await this.call('get', `/v1/contract/${this.tenant.id}/openapi.json`);
    await this.call('get', `/v1/contract/${this.tenant.id}/openapi.json?format=yaml`);
    const id = await this.create(this.types, { name: 'Contracted', slug: 'contracted', fields: FIELDS });
    for (const name of [id, 'contracted', 'contract']) await this.call('get', `${this.types}/${name}/schema.json`);
    await this.call('get', `/v1/contract/${this.tenant.id}/types.ts`);
    await this.call('get', `/v1/contract/${this.tenant.id}/types.ts?format=js`);
  }

  /** Calls a tool. The API's document does not have its endpoint, so the call is not noted. */
  private async playAssistant(entry: string): Promise<void> {
    const call = { name: 'get_entry', arguments: { entry_id: entry } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const headers = { Accept: 'application/json, text/event-stream' };
    await this.request('post', `/mcp/${this.tenant.id}`, message, headers).expect(200);
  }

  private async playUsage(mediaId: string): Promise<void> {
    const usage = `/v1/usage/${this.tenant.id}`;
    await this.call('get', usage);
    await this.call('get', `${usage}/history?days=2`);
    await this.call('get', `${usage}/history?days=0`);
    const fields = [{ name: 'cover', type: 'media' }];
    const entries = `${this.types}/${await this.create(this.types, { name: 'Cover', fields })}/entries`;
    for (let times = 0; times < 2; times++) await this.create(entries, { fields: { cover: { id: mediaId } } });
    await this.call('get', `${this.media}/${mediaId}/usage`);
    const moved = `https://earlier.example/media/${this.tenant.id}/${mediaId}.png`;
    await this.create(entries, { fields: { cover: { url: moved, alt: '' } } });
    await this.call('get', `${entries}?view=full`);
    await this.call('get', `${entries}?include=cover`);
    await this.call('get', `${entries}?view=half`);
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

  private async load(path: string, contentType: string, body: string): Promise<void> {
    await this.record('post', path, this.request('post', path, undefined, { 'Content-Type': contentType }).send(body));
  }

  private async submit(path: string, fields: object): Promise<void> {
    await this.record(
      'post',
      path,
      request(this.app.url).post(path).set('X-Forwarded-For', newAddress()).send({ fields }),
    );
  }

  /** Requests seldom arrive so close together that they are sure to be written together. */
  private async submitTogether(form: string, names: readonly string[]): Promise<void> {
    const visitor = { origin: undefined, page: null, locale: null };
    const body = { errors: [], queueKey: this.tenant.id, isHeavy: false, visitor };
    const creation = this.app.get(CreateSubmission);
    await Promise.all(
      names.map((name) => {
        const dto = { fields: { email: `${name}@example.com` } };
        return creation.run({ tenantId: this.tenant.id, idOrSlug: form }, { ...body, dto });
      }),
    );
  }

  /** Sends a GET without a key. */
  private async visit(path: string): Promise<Call> {
    return this.record('get', path, request(this.app.url).get(path).set('X-Forwarded-For', newAddress()));
  }

  async call(method: Method, path: string, body?: object, headers: Record<string, string> = {}): Promise<Call> {
    return this.record(method, path, this.request(method, path, body, headers));
  }

  /** Sends a request without the key of the tenant, perhaps in a session. */
  async callWithoutKey(
    method: Method,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Call> {
    const test = request(this.app.url)[method](path).set(headers);
    return this.record(method, path, body === undefined ? test : test.send(body));
  }

  private request(method: Method, path: string, body?: object, headers: Record<string, string> = {}): request.Test {
    const test = request(this.app.url)[method](path).set('Authorization', `Bearer ${this.tenant.key}`).set(headers);
    return body === undefined ? test : test.send(body);
  }

  private async record(method: Method, path: string, test: request.Test): Promise<Call> {
    const { status, headers, body, text } = await test;
    const [contentType = ''] = (headers['content-type'] ?? '').split(';');
    const isLines = contentType === 'application/x-ndjson' || contentType === 'text/csv';
    const requestId = headers['x-request-id'] ?? '';
    const call = { method, path, status, contentType, body: isLines ? text : (body as unknown), requestId };
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

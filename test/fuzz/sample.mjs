/** Valid data of another tenant: created before the fuzzing, read during it, and compared byte by byte at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../faults/until.mjs';
import { OTHER_TENANT } from './world.mjs';

const PAUSE_MS = 40;
const FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'body', type: 'rich_text' },
  { name: 'cover', type: 'media' },
  { name: 'price', type: 'number' },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'at', type: 'datetime' },
  { name: 'extra', type: 'json' },
];
const TITLES = [
  'Tides',
  'Ebbe und Flut',
  'Naïve café',
  '潮汐',
  '😀 emoji',
  "O'Brien; DROP TABLE",
  'العربية',
  'e\u0301',
];
const ENTRIES = 40;
const SUBMISSIONS = 15;
const AUTHORIZED = { key: 'other' };

export class Sample {
  /** The original responses by path. */
  before = new Map();
  latencies = [];
  faults = [];
  isWatching = false;

  static async make(world) {
    const sample = new Sample(world);
    await sample.create();
    for (const path of await sample.paths()) sample.before.set(path, await sample.read(path));
    return sample;
  }

  constructor(world) {
    this.world = world;
  }

  async create() {
    const { world } = this;
    const root = `/v1/content/${OTHER_TENANT}/types`;
    const create = (path, body) => world.create(path, body, AUTHORIZED);
    const mailbox = world.receiver.open('/sample');
    const webhook = await create(`/v1/webhooks/${OTHER_TENANT}`, {
      url: mailbox.url,
      events: ['entry.published', 'form.submitted'],
    });
    const media = await create(`/v1/media/${OTHER_TENANT}`, {
      multipart: [{ name: 'file', filename: 'tide.png', file: 'png' }],
    });
    const note = await create(`/v1/media/${OTHER_TENANT}`, {
      multipart: [{ name: 'file', filename: 'note.txt', file: 'txt' }],
    });
    const type = await create(root, { name: 'Sample article', fields: FIELDS });
    const entries = [];
    for (let index = 0; index < ENTRIES; index++)
      entries.push(await create(`${root}/${type.id}/entries`, this.entry(index, media)));
    const form = await create(`/v1/forms/${OTHER_TENANT}`, {
      name: 'Sample form',
      slug: 'sample-form-of-another-tenant',
      fields: [{ name: 'message', type: 'textarea' }],
    });
    for (let index = 0; index < SUBMISSIONS; index++) {
      await create(`/v1/forms/${OTHER_TENANT}/${form.id}/submissions`, {
        fields: { message: `${TITLES[index % TITLES.length]} ${index}` },
      });
    }
    const delivery = await this.settled(webhook);
    Object.assign(this, { type, entries, form, webhook, media, note });
    const { names } = world;
    names
      .set('other.type', type.id)
      .set('other.entry', entries[0].id)
      .set('other.form', form.id)
      .set('other.webhook', webhook.id);
    names
      .set('other.media', media.id)
      .set('other.file', new URL(media.url).pathname.split('/').at(-1))
      .set('other.delivery', delivery);
  }

  entry(index, media) {
    const title = `${TITLES[index % TITLES.length]} ${index}`;
    return {
      fields: {
        title,
        body: `<p>${title} <b>brew</b></p>`,
        cover: { url: media.url, alt: title },
        price: index * 1.5,
        tags: ['a', `t${index % 3}`],
        at: '2026-01-31T09:30:00+01:00',
        extra: { index, nested: [null, true, title] },
      },
      status: index % 4 === 0 ? 'draft' : 'published',
    };
  }

  /** Waits until all deliveries have succeeded; returns the ID of one. */
  async settled(webhook) {
    const wanted = SUBMISSIONS + ENTRIES - ENTRIES / 4;
    const path = `/v1/webhooks/${OTHER_TENANT}/${webhook.id}/deliveries?per_page=100`;
    const { data } = await until(async () => {
      const page = await this.world.ask('GET', path, undefined, AUTHORIZED);
      return page.data.length === wanted && page.data.every(({ status }) => status === 'succeeded') && page;
    }, 'all deliveries of the sample succeed');
    return data[0].id;
  }

  async paths() {
    const { type, entries, form, webhook, media, note } = this;
    const types = `/v1/content/${OTHER_TENANT}/types`;
    const list = `${types}/${type.id}/entries`;
    return [
      types,
      `${types}/${type.id}`,
      ...entries.map(({ id }) => `${list}/${id}`),
      `${list}?per_page=100`,
      `${list}?per_page=7&page=3&sort=-price,title`,
      `${list}?search=brew&sort=title`,
      `${list}?filter[status]=published&filter[price][gte]=10&cursor=`,
      `${list}?filter[title][contains]=caf%C3%A9`,
      `/v1/forms/${OTHER_TENANT}`,
      `/v1/forms/${OTHER_TENANT}/${form.id}/submissions?per_page=100`,
      `/v1/media/${OTHER_TENANT}`,
      `/v1/media/${OTHER_TENANT}/${media.id}`,
      new URL(media.url).pathname,
      new URL(note.url).pathname,
      `${new URL(media.url).pathname}?w=32`,
      `/v1/webhooks/${OTHER_TENANT}`,
      `/v1/webhooks/${OTHER_TENANT}/${webhook.id}`,
      `/v1/webhooks/${OTHER_TENANT}/${webhook.id}/deliveries?per_page=100`,
      `/v1/events/${OTHER_TENANT}?per_page=100`,
    ];
  }

  async read(path) {
    const headers = { Authorization: this.world.bearer('other') };
    const response = await fetch(this.world.service.url + path, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = path.startsWith('/media/') ? bytes.toString('base64') : stable(path, bytes.toString());
    return { status: response.status, etag: response.headers.get('etag'), text };
  }

  /** Reads the paths in turn until `stop` is called. */
  watch() {
    this.isWatching = true;
    const paths = [...this.before.keys()];
    const loop = async () => {
      for (let turn = 0; this.isWatching; turn++) {
        const path = paths[turn % paths.length];
        const began = performance.now();
        await this.compare(path, 'while other tenants were fuzzed');
        this.latencies.push(performance.now() - began);
        await sleep(PAUSE_MS);
      }
    };
    this.watching = loop();
  }

  async stop() {
    this.isWatching = false;
    await this.watching;
  }

  /** Reads all paths once more. */
  async compareAll(when) {
    for (const path of this.before.keys()) await this.compare(path, when);
  }

  async compare(path, when) {
    const before = this.before.get(path);
    const now = await this.read(path).catch((error) => ({ status: error.message }));
    if (now.status !== 200)
      this.faults.push({
        kind: `a read of another tenant failed: ${now.status}`,
        text: `${when}: GET ${path} answered ${now.status} ${now.text?.slice(0, 300) ?? ''}`,
      });
    else if (now.text !== before.text || now.etag !== before.etag) {
      this.faults.push({
        kind: 'data of another tenant changed',
        text: `${when}: GET ${path} is\n${now.text.slice(0, 500)}\nand was\n${before.text.slice(0, 500)}`,
      });
    }
  }

  /** Checks that the original totals match the number of created records. */
  countFaults() {
    const total = (suffix) => {
      const [, answer] = [...this.before].find(([path]) => path.endsWith(suffix));
      return JSON.parse(answer.text);
    };
    const counts = {
      entries: [total('entries?per_page=100').meta.total, ENTRIES],
      submissions: [total('submissions?per_page=100').meta.total, SUBMISSIONS],
      'submission_count of the form': [total(`/v1/forms/${OTHER_TENANT}`).data[0].submission_count, SUBMISSIONS],
    };
    return Object.entries(counts).flatMap(([what, [found, made]]) =>
      found === made ? [] : [{ kind: `the count of ${what} is wrong`, text: `${what}: ${found} instead of ${made}.` }],
    );
  }
}

/** Ignores the feed's cursor. A leftover: the cursor changes only with the tenant's own events now. */
function stable(path, text) {
  return path.startsWith('/v1/events/') ? JSON.stringify(JSON.parse(text).data) : text;
}

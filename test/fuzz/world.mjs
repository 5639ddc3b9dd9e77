/** Everything a run needs: the service, a receiver, a mail server, tenants with keys, and the resources of the fuzzed tenant. */
import { createHash, randomBytes } from 'node:crypto';
import { CERTIFICATE, Receiver } from '../faults/receiver.mjs';
import { MailServer } from '../faults/mail-server.mjs';
import { until } from '../faults/until.mjs';
import { Cursors } from './cursors.mjs';
import { Document } from './document.mjs';
import { GOOD_FILES } from './generators/files.mjs';
import { PEOPLE_TENANTS, TENANT } from './names.mjs';
import { People, WITH_PARTS } from './people.mjs';
import { Provider } from './provider.mjs';
import { renderBody } from './generators/bodies.mjs';
import { valuesFor } from './generators/fields.mjs';
import { SCHEMAS, UPLOAD_FORM } from './schemas.mjs';
import { Service } from './service.mjs';
import fc from 'fast-check';

export const OTHER_TENANT = 'ten_sample';
const LIMITED_TENANT = 'ten_limited';
const ENTRIES = 12;
const EVENTS = [
  'entry.created',
  'entry.updated',
  'entry.deleted',
  'entry.published',
  'media.uploaded',
  'media.deleted',
  'form.submitted',
];
/** The scopes of each key. */
const KEYS = {
  all: { tenant: TENANT, scopes: ['*'] },
  read: { tenant: TENANT, scopes: ['read'] },
  write: { tenant: TENANT, scopes: ['write'] },
  published: { tenant: TENANT, scopes: ['content:read:published'] },
  other: { tenant: OTHER_TENANT, scopes: ['*'] },
  limited: { tenant: LIMITED_TENANT, scopes: ['*'] },
  ...Object.fromEntries(PEOPLE_TENANTS.map((tenant) => [tenant, { tenant, scopes: ['*'] }])),
};

export class World {
  static async build({ dist, folder, seed }) {
    const receiver = await Receiver.start();
    const mails = await MailServer.start();
    mails.refusesSome = false;
    const provider = await Provider.start();
    const keys = Object.fromEntries(
      Object.keys(KEYS).map((name) => [name, `tvt_fuzz_${name}_${randomBytes(16).toString('hex')}`]),
    );
    const encryptionKey = randomBytes(32).toString('base64');
    const service = await Service.start({ dist, folder, env: environmentOf({ keys, mails, provider, encryptionKey }) });
    const document = await Document.fetch(service.url);
    const cursors = await Cursors.load(dist);
    const world = new World({ service, receiver, mails, provider, keys, document, cursors, seed });
    world.secrets = [...Object.values(keys), encryptionKey, ...world.webhookSecrets];
    return world;
  }

  names = new Map();
  webhookSecrets = ['whsec_ZnV6ei1zZWNyZXQtdGhhdC1uby1hbnN3ZXItc2hvd3M=', 'another secret that no answer shows'];
  addresses = 0;
  uniques = 0;
  run = randomBytes(3).toString('hex');

  people = new People(this);

  constructor(parts) {
    Object.assign(this, parts);
  }

  get port() {
    return this.service.port;
  }

  bearer(key) {
    return `Bearer ${this.keys[key] ?? 'tvt_nobody'}`;
  }

  /** A new address, so that no request is limited by chance. */
  newAddress() {
    const number = this.addresses++;
    return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  }

  unique() {
    return `u${this.run}${(this.uniques++).toString(36)}`;
  }

  /** Sends a valid request and returns the response's body. Throws unless it succeeds. */
  async ask(method, path, body, { key = 'all', prefer } = {}) {
    const { bytes, headers } = renderBody(
      body?.multipart ? body : body && { text: JSON.stringify(body), type: 'application/json' },
    );
    const response = await fetch(this.service.url + path, {
      method,
      headers: {
        Authorization: this.bearer(key),
        'X-Forwarded-For': this.newAddress(),
        ...(prefer && { Prefer: prefer }),
        ...Object.fromEntries(headers.filter(([name]) => name !== 'Content-Length')),
      },
      ...(body && { body: bytes }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  async create(path, body, options) {
    return (await this.ask('POST', path, body, options)).data;
  }

  /** Creates the resources that requests of the fuzzed tenant name. The same seed creates the same. */
  async furnish() {
    const { names, receiver } = this;
    names.set('tenant', TENANT).set('other.tenant', OTHER_TENANT).set('limited.tenant', LIMITED_TENANT);
    names.set('host', `127.0.0.1:${this.port}`).set('bearer', this.bearer('all'));
    names.set('origin', `http://localhost:${this.port}`).set('key', this.keys.all);
    const unchecked = receiver.open('/made');
    // Webhooks that cases create have their own secrets.
    unchecked.verify = () => {};
    names.set('receiver', unchecked.url);
    for (const prefix of [
      'ct',
      'ent',
      'frm',
      'sub',
      'wh',
      'dlv',
      'med',
      'evt',
      'chg',
      'pur',
      'era',
      'fil',
      'usr',
      'rol',
      'ses',
      'psk',
    ])
      names.set(`random.${prefix}`, `${prefix}_01k47krpkyfgyrmpsfdme9wjvt`);
    await this.makeFiles();
    await this.makeTypes();
    await this.makePreview();
    await this.makeChange();
    await this.makeForms();
    const { id: erasure } = await this.create(`/v1/forms/${TENANT}/erasures`, { email: 'nobody@example.com' });
    names.set('erasure', erasure);
    await this.makeWebhook();
    names.set('member', (await this.make('member')).id).set('role', (await this.make('role')).id);
    await this.people.makeReader();
  }

  async makePreview() {
    const { path } = await this.make('draft', 'every', this.seed);
    const { url } = await this.create(`${path}/preview-links`, { expires_in: 604_800 });
    this.names.set('preview', new URL(url).pathname.split('/').at(-1));
  }

  async makeChange() {
    const fields = [{ name: 'title', type: 'text' }];
    const { id } = await this.create(`/v1/content/${TENANT}/types`, { name: 'Changed', fields });
    const path = `/v1/content/${TENANT}/types/${id}`;
    const { data } = await this.ask('PUT', path, { fields }, { prefer: 'respond-async' });
    this.names.set('change', data.id);
  }

  async makeFiles() {
    for (const file of Object.keys(GOOD_FILES)) {
      const { id, url } = await this.make('media', file);
      this.names.set(`media.${file}`, id).set(`file.${file}`, new URL(url).pathname.split('/').at(-1));
    }
  }

  async makeTypes() {
    const { contentTypes } = SCHEMAS.of(this.document);
    for (const [name, fields] of Object.entries(contentTypes)) {
      const { id } = await this.create(`/v1/content/${TENANT}/types`, this.filled({ name, fields }));
      this.names.set(`type.${name}`, id);
      for (let index = 0; index < ENTRIES; index++) {
        const { id, fields } = await this.make('entry', name, this.seed + index);
        this.names.set(`entry.${name}.${index}`, id);
        if (name === 'strict') this.names.set('title', fields.title);
      }
    }
  }

  async makeForms() {
    const { forms } = SCHEMAS.of(this.document);
    for (const [name, fields] of Object.entries(forms)) {
      const { id, slug } = await this.create(`/v1/forms/${TENANT}`, {
        name: `Form ${name}`,
        fields,
        notify_email: 'office@example.com',
      });
      this.names.set(`form.${name}`, id).set(`slug.${name}`, slug);
      for (const values of this.sampleOf(fields, 'form', ENTRIES)) {
        const { id: submission } = await this.create(
          `/v1/forms/${TENANT}/${id}/submissions`,
          this.filled({ fields: values }),
        );
        this.names.set(`submission.${name}`, submission);
      }
    }
    await this.makeUploadForm();
  }

  async makeUploadForm() {
    const forms = `/v1/forms/${TENANT}`;
    const { id: form } = await this.create(forms, { name: 'Form upload', fields: UPLOAD_FORM });
    const path = `${forms}/${form}/submissions`;
    const multipart = [{ name: 'cv', filename: 'cv.pdf', file: 'pdf' }];
    const { id: submission } = await this.create(path, { multipart });
    const { data } = await this.ask('GET', `${path}/${submission}`);
    this.names.set('upload.form', form).set('upload.submission', submission).set('upload.file', data.files[0].id);
  }

  async makeWebhook() {
    const mailbox = this.receiver.open('/everything');
    const [secret] = this.webhookSecrets;
    mailbox.secrets.push(secret);
    const { id } = await this.create(`/v1/webhooks/${TENANT}`, { url: mailbox.url, events: EVENTS, secret });
    this.names.set('webhook', id);
    await this.make('delivery');
    await until(async () => {
      const { data } = await this.ask('GET', `/v1/webhooks/${TENANT}/${id}/deliveries`);
      return data.some(({ status }) => status === 'succeeded');
    }, 'a delivery arrives');
  }

  /** Creates one resource of the fuzzed tenant that a case may change or delete. Returns it with the `path` for its deletion. */
  async make(kind, name, seed = this.uniques) {
    const types = `/v1/content/${TENANT}/types`;
    if (WITH_PARTS.includes(kind)) return this.people.make(kind);
    switch (kind) {
      case 'type': {
        const type = await this.create(types, { name: `Fresh ${this.unique()}`, fields: SCHEMAS.fresh });
        for (const fields of [
          { title: 'One', tags: ['a', 'b'], size: 1.5 },
          { title: 'Two', body: '<p>b</p>', code: this.unique() },
          { title: '' },
        ]) {
          await this.create(`${types}/${type.id}/entries`, { fields });
        }
        return { ...type, path: `${types}/${type.id}` };
      }
      case 'entry': {
        const fields = SCHEMAS.of(this.document).contentTypes[name];
        const [values] = this.sampleOf(fields, 'content', 1, seed);
        const path = `${types}/${this.names.get(`type.${name}`)}/entries`;
        const status = seed % 2 === 0 ? 'published' : 'draft';
        const entry = await this.create(path, this.filled({ fields: values, status }));
        return { ...entry, path: `${path}/${entry.id}` };
      }
      case 'draft': {
        const entry = await this.make('entry', name, seed);
        await this.ask('PATCH', `${entry.path}/draft`, { fields: entry.fields });
        return entry;
      }
      case 'unpublished': {
        const entry = await this.make('draft', name, seed);
        await this.ask('PATCH', entry.path, { status: 'draft' });
        return entry;
      }
      case 'reviewed': {
        const entry = await this.make('draft', name, seed);
        await this.ask('PUT', `${entry.path}/draft/review`, { note: 'Ready' });
        return entry;
      }
      case 'scheduled': {
        const entry = await this.make('entry', name, seed);
        await this.ask('PUT', `${entry.path}/schedule`, { publish_at: '2100-01-01T00:00:00Z' });
        return entry;
      }
      case 'media':
      case 'file': {
        const media = await this.create(`/v1/media/${TENANT}`, {
          multipart: [{ name: 'file', filename: `a.${name}`, file: name }],
        });
        const file = new URL(media.url).pathname.split('/').at(-1);
        return { ...media, ...(kind === 'file' && { id: file }), path: `/v1/media/${TENANT}/${media.id}?force=true` };
      }
      case 'webhook': {
        const events = ['media.deleted'];
        const webhook = await this.create(`/v1/webhooks/${TENANT}`, {
          url: this.names.get('receiver'),
          events,
          secret: this.webhookSecrets[1],
        });
        return { ...webhook, path: `/v1/webhooks/${TENANT}/${webhook.id}` };
      }
      case 'form': {
        const fields = [
          { name: 'email', type: 'email' },
          { name: 'message', type: 'textarea' },
        ];
        const form = await this.create(`/v1/forms/${TENANT}`, { name: `Fresh ${this.unique()}`, fields });
        const path = `/v1/forms/${TENANT}/${form.id}`;
        for (const values of [{ email: 'a@example.com' }, { message: 'Hello' }]) {
          await this.create(`${path}/submissions`, { fields: values });
        }
        return { ...form, path };
      }
      case 'submission': {
        const path = `/v1/forms/${TENANT}/${this.names.get(`form.${name}`)}/submissions`;
        const [values] = this.sampleOf(SCHEMAS.of(this.document).forms[name], 'form', 1, seed);
        const submission = await this.create(path, this.filled({ fields: values }));
        return { ...submission, path: `${path}/${submission.id}` };
      }
      case 'key': {
        const path = `/v1/keys/${TENANT}`;
        const key = await this.create(path, { name: 'A key', scopes: ['read'] });
        return { ...key, path: `${path}/${key.id}` };
      }
      case 'member': {
        const path = `/v1/users/${TENANT}`;
        const email = `member-${this.unique()}@example.com`;
        const member = await this.create(path, { email, role: 'editor' });
        return { ...member, path: `${path}/${member.id}` };
      }
      case 'invitation': {
        const member = await this.make('member');
        return { id: await this.tokenIn(member.email, 'tvi_'), path: member.path };
      }
      case 'role': {
        const path = `/v1/roles/${TENANT}`;
        const role = await this.create(path, { name: `Role ${this.unique()}`, scopes: ['content:read'] });
        return { ...role, path: `${path}/${role.id}` };
      }
      case 'delivery':
        return this.create(`/v1/webhooks/${TENANT}/${this.names.get('webhook')}/test`);
      default:
        throw new Error(`Unknown kind: ${kind}.`);
    }
  }

  /** The token with the prefix in an email to the address. */
  async tokenIn(address, prefix) {
    for (let attempt = 0; attempt < 200; attempt++) {
      for (const { text } of this.mails.mails.values()) {
        if (!/^To: .*$/m.exec(text)?.[0].includes(address)) continue;
        const [token] = new RegExp(`\\b${prefix}[\\w-]{49}`).exec(text.replace(/=\r?\n/g, '')) ?? [];
        if (token) return token;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`No email with ${prefix}… was sent to ${address}.`);
  }

  sampleOf(fields, kind, count, seed = this.seed) {
    return fc.sample(valuesFor(fields, kind), { seed, numRuns: count });
  }

  /** Replaces the placeholders whose names are already known. */
  filled(value) {
    const text = JSON.stringify(value).replaceAll(/\{\{([a-z]+(?:\.[a-z0-9_]+)*)\}\}/g, (placeholder, name) =>
      name === 'unique' ? this.unique() : (this.names.get(name) ?? placeholder),
    );
    return JSON.parse(text);
  }
}

function environmentOf({ keys, mails, provider, encryptionKey }) {
  const hash = (key) => `sha256:${createHash('sha256').update(key).digest('hex')}`;
  const ids = [...new Set(Object.values(KEYS).map(({ tenant }) => tenant))];
  const tenants = ids.map((id) => ({
    id,
    name: id,
    api_keys: Object.entries(KEYS)
      .filter(([, { tenant }]) => tenant === id)
      .map(([name, { scopes }]) => ({ name, key: hash(keys[name]), scopes })),
    ...(id === LIMITED_TENANT && { rate_limit: 5 }),
  }));
  return {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    TENANTS: JSON.stringify(tenants),
    ENCRYPTION_KEY: encryptionKey,
    LOG_LEVEL: 'info',
    TRUST_PROXY: '1',
    SMTP_URL: mails.url,
    OIDC_PROVIDERS: JSON.stringify([provider.settingFor(TENANT)]),
    WEBHOOK_TIMEOUT: '2s',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    OUTBOUND_CA_FILE: CERTIFICATE,
    MEDIA_MAX_BYTES: String(4 * 2 ** 20),
  };
}

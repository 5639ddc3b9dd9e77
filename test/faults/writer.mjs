/** A steady stream of writes: each kind that causes events, and each kind that must not. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './until.mjs';

const LANES = 6;
/** Scheduled entries are published after this time, some of them during a failure. */
const SCHEDULED_MS = 2_000;
const PAUSE_MS = 40;
const PAUSE_AFTER_FAILURE_MS = 100;
/** A request with a key is repeated for this long. No failure takes longer. */
const REPEATED_MS = 60_000;
/** The number of entries that a lane keeps for later operations. */
const KEPT = 20;

/** The relative frequency of each kind. */
const WEIGHTS = {
  create: 20,
  createPublished: 14,
  update: 18,
  publish: 10,
  delete: 9,
  submit: 14,
  submitQuietly: 3,
  createInvalid: 3,
  submitInvalid: 2,
  updateStale: 3,
  deleteStale: 2,
  tighten: 1,
  race: 4,
  dropType: 2,
  publishDraft: 6,
  schedule: 8,
  createRepeated: 10,
  submitRepeated: 6,
};
const DECK = Object.entries(WEIGHTS).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));

const FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'code', type: 'text', unique: true },
  { name: 'number', type: 'integer' },
];
const FORM_FIELDS = [
  { name: 'email', type: 'email', required: true },
  { name: 'message', type: 'textarea', required: true },
];

export class Writer {
  isStopped = false;
  failures = 0;

  /** Creates the content type and the forms that the lanes write to. */
  static async setUp(client, ledger, tenantId) {
    const types = `/v1/content/${tenantId}/types`;
    const forms = `/v1/forms/${tenantId}`;
    const type = await client.ask('POST', types, { name: 'Article', fields: FIELDS });
    const form = await client.ask('POST', forms, {
      name: 'Contact',
      fields: FORM_FIELDS,
      notify_email: 'office@acme.example',
    });
    const quiet = await client.ask('POST', forms, { name: 'Quiet', fields: FORM_FIELDS });
    const paths = {
      types,
      type: `${types}/${type.data.id}`,
      form: `${forms}/${form.data.id}/submissions`,
      quietForm: `${forms}/${quiet.data.id}/submissions`,
    };
    return new Writer(client, ledger, paths);
  }

  constructor(client, ledger, paths) {
    Object.assign(this, { client, ledger, paths });
  }

  start() {
    this.lanes = Array.from({ length: LANES }, (_, number) => this.lane(number));
    // `stop` awaits the lanes, so a rejection before that must not count as unhandled.
    for (const lane of this.lanes) lane.catch(() => {});
  }

  /** Returns when no request is in progress. */
  async stop() {
    this.isStopped = true;
    await Promise.all(this.lanes);
  }

  /** Returns when this number of further writes was acknowledged. */
  async more(count) {
    const { counts } = this.ledger;
    const goal = counts.acknowledged + count;
    await until(() => counts.acknowledged >= goal, `${count} more writes are acknowledged`);
  }

  /** Returns when this number of further writes failed because the service or its database was unreachable. */
  async fail(count) {
    const goal = this.failures + count;
    await until(() => this.failures >= goal, `${count} writes fail`);
  }

  /** Returns when at least this number of requests is in progress. */
  async busy(count) {
    await until(() => this.client.inProgress >= count, `${count} requests are in progress`);
  }

  async lane(number) {
    const lane = new Lane(this, number);
    while (!this.isStopped) {
      const ok = await lane.step();
      if (!ok) this.failures++;
      await sleep(ok ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS);
    }
  }
}

/** Runs its operations one after the other. No other lane changes its entries. */
class Lane {
  kept = [];
  count = 0;
  addresses = 0;
  hasFailed = false;

  constructor({ client, ledger, paths }, number) {
    Object.assign(this, { client, ledger, paths, number });
  }

  /** Runs one operation, or a few that belong together. Returns false if the service failed. */
  async step() {
    this.hasFailed = false;
    const kind = DECK[Math.floor(Math.random() * DECK.length)];
    await this[kind]();
    return !this.hasFailed;
  }

  token() {
    return `tok${this.number}x${this.count++}`;
  }

  async perform(operation, expected, method, path, body, headers) {
    const request = () => this.client.request(method, path, body, { ...headers, ...operation.visitor?.() });
    const ask = headers?.['Idempotency-Key'] === undefined ? request : () => this.repeated(request);
    const answer = await this.ledger.perform(operation, expected, ask);
    if (operation.failed) this.hasFailed = true;
    return answer;
  }

  /** Sends a request again until it is answered. With a key, it happens once. */
  async repeated(request) {
    const deadline = Date.now() + REPEATED_MS;
    for (;;) {
      const answer = await request().catch((error) => (Date.now() < deadline ? undefined : Promise.reject(error)));
      const isInProgress = answer?.status === 409 && answer.headers['retry-after'] !== undefined;
      if (answer && ((answer.status < 500 && !isInProgress) || Date.now() > deadline)) return answer;
      await sleep(PAUSE_AFTER_FAILURE_MS);
    }
  }

  async createRepeated() {
    const token = this.token();
    await this.create('published', {}, [201], token, { 'Idempotency-Key': token });
  }

  async submitRepeated() {
    await this.submit(this.paths.form, { 'Idempotency-Key': this.token() });
  }

  async create(status = 'draft', fields = {}, expected = [201], token = this.token(), headers = undefined) {
    const events = [`entry.created ${token}`, ...(status === 'published' ? [`entry.published ${token}`] : [])];
    const operation = { kind: 'create', token, events };
    const body = { fields: { title: token, ...fields }, status };
    const answer = await this.perform(operation, expected, 'POST', `${this.paths.type}/entries`, body, headers);
    if (!answer) return operation;
    const { id } = answer.body.data;
    operation.id = id;
    this.ledger.entries.set(id, { title: token });
    if (this.kept.length < KEPT) this.kept.push({ id, tag: answer.headers.etag, wasChanged: false });
    return operation;
  }

  async createPublished() {
    await this.create('published');
  }

  async update(status) {
    const entry = this.pick();
    if (!entry) return;
    const token = this.token();
    const events = [`entry.updated ${token}`, ...(status ? [`entry.published ${token}`] : [])];
    const operation = { kind: 'update', id: entry.id, token, events };
    const body = { fields: { title: token }, ...(status && { status }) };
    const answer = await this.perform(operation, [200], 'PATCH', this.pathOf(entry), body);
    if (answer) {
      entry.wasChanged = true;
      this.ledger.entries.set(entry.id, { title: token });
    } else if (operation.state === 'unknown') this.forget(entry);
  }

  async publish() {
    await this.update('published');
  }

  async delete() {
    const entry = this.pick();
    if (!entry) return;
    const operation = { kind: 'delete', id: entry.id, events: [`entry.deleted ${entry.id}`] };
    const answer = await this.perform(operation, [200], 'DELETE', this.pathOf(entry));
    if (answer || operation.state === 'unknown') this.forget(entry);
    if (answer) this.ledger.entries.set(entry.id, null);
  }

  async submit(path = this.paths.form, headers = undefined) {
    const token = this.token();
    const operation = { kind: 'submit', token, events: [`form.submitted ${token}`], visitor: () => this.visitor() };
    const fields = { email: 'visitor@example.com', message: token };
    const answer = await this.perform(operation, [201], 'POST', path, { fields }, headers);
    operation.id = answer?.body.data.id;
  }

  async submitQuietly() {
    await this.submit(this.paths.quietForm);
  }

  async createInvalid() {
    const body = { fields: { title: this.token(), number: 'none' } };
    await this.perform({ kind: 'create, invalid', events: [] }, [422], 'POST', `${this.paths.type}/entries`, body);
  }

  async submitInvalid() {
    const fields = { email: 'none', message: this.token() };
    const operation = { kind: 'submit, invalid', events: [] };
    await this.perform(operation, [422], 'POST', this.paths.form, { fields }, this.visitor());
  }

  async updateStale() {
    const entry = this.kept.find(({ wasChanged }) => wasChanged);
    if (!entry) return;
    const operation = { kind: 'update, stale', events: [] };
    const body = { fields: { title: this.token() }, status: 'published' };
    await this.perform(operation, [412], 'PATCH', this.pathOf(entry), body, { 'if-match': entry.tag });
  }

  async deleteStale() {
    const entry = this.kept.find(({ wasChanged }) => wasChanged);
    if (!entry) return;
    const operation = { kind: 'delete, stale', events: [] };
    await this.perform(operation, [412], 'DELETE', this.pathOf(entry), undefined, { 'if-match': entry.tag });
  }

  /** Tries a schema change that conflicts with the stored entries. */
  async tighten() {
    if (this.kept.length === 0) return;
    const fields = FIELDS.map((field) => (field.name === 'title' ? { ...field, max: 1 } : field));
    await this.perform({ kind: 'tighten', events: [] }, [409], 'PUT', this.paths.type, { fields });
  }

  /** Creates two entries with the same unique value at once, of which PostgreSQL rolls one back. */
  async race() {
    const code = this.token();
    const two = await Promise.all([1, 2].map(() => this.create('published', { code }, [201, 422])));
    const created = two.filter(({ state }) => state === 'acknowledged').length;
    const isWrong = two.every(({ state }) => state !== 'unknown') && !this.hasFailed && created !== 1;
    if (isWrong) this.ledger.surprises.push(`${created} of two entries with one unique value were created`);
  }

  /** Deletes a content type with its entries: many events in one transaction. */
  async dropType() {
    const make = { kind: 'create type', events: [] };
    const type = await this.perform(make, [201], 'POST', this.paths.types, { name: 'Doomed', fields: FIELDS });
    if (!type) return;
    const path = `${this.paths.types}/${type.body.data.id}`;
    const ids = [];
    for (let count = 0; count < 5; count++) {
      const token = this.token();
      const operation = { kind: 'create', token, events: [`entry.created ${token}`] };
      const body = { fields: { title: token } };
      const answer = await this.perform(operation, [201], 'POST', `${path}/entries`, body);
      // The result of deleting a type with an entry of unknown state is hard to predict, so the type stays.
      if (!answer) return;
      ids.push(answer.body.data.id);
      this.ledger.entries.set(ids.at(-1), { title: token });
    }
    const operation = { kind: 'drop type', ids, events: ids.map((id) => `entry.deleted ${id}`) };
    const answer = await this.perform(operation, [200], 'DELETE', path);
    if (!answer && operation.state !== 'unknown') return;
    for (const id of ids) {
      if (answer) this.ledger.entries.set(id, null);
      else this.ledger.entries.delete(id);
    }
  }

  /** Saves a draft and publishes it. */
  async publishDraft() {
    const entry = this.pick();
    if (!entry) return;
    const token = this.token();
    if (!(await this.saveDraft(entry, token))) return;
    const path = `${this.pathOf(entry)}/draft/publish?force=true`;
    const answer = await this.perform(this.publication(entry, token), [200], 'POST', path);
    if (answer) {
      entry.wasChanged = true;
      this.ledger.entries.set(entry.id, { title: token });
    } else this.forget(entry);
  }

  /** Schedules the draft of a new entry. Once this is acknowledged, the entry must be published, once. No other operation changes it. */
  async schedule() {
    const { id } = await this.create();
    if (!id) return;
    this.kept = this.kept.filter((entry) => entry.id !== id);
    const token = this.token();
    if (!(await this.saveDraft({ id }, token))) return;
    const body = { publish_at: new Date(Date.now() + SCHEDULED_MS).toISOString() };
    const operation = this.publication({ id }, token);
    // 422: the request waited for so long that the time has passed.
    const answer = await this.perform(operation, [200, 422], 'PUT', `${this.pathOf({ id })}/schedule`, body);
    if (answer) this.ledger.entries.set(id, { title: token });
    else if (operation.state === 'unknown') this.ledger.entries.delete(id);
  }

  async saveDraft(entry, token) {
    const operation = { kind: 'save draft', events: [] };
    const body = { fields: { title: token } };
    const answer = await this.perform(operation, [200], 'PATCH', `${this.pathOf(entry)}/draft`, body);
    return answer !== undefined;
  }

  publication({ id }, token) {
    return { kind: 'update', id, token, events: [`entry.updated ${token}`, `entry.published ${token}`] };
  }

  pick() {
    return this.kept[Math.floor(Math.random() * this.kept.length)];
  }

  /** Stops using an entry of unknown state, so that its row shows in the end what happened. */
  forget(entry) {
    this.kept.splice(this.kept.indexOf(entry), 1);
    this.ledger.entries.delete(entry.id);
  }

  pathOf({ id }) {
    return `${this.paths.type}/entries/${id}`;
  }

  /** A new address for each request with a submission, because each may submit only ten times a minute. */
  visitor() {
    const number = this.number * 100_000 + this.addresses++;
    return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` };
  }
}

/** Fills a case with values that are known only at run time: IDs, cursors, ETags, and resources created for it. */
import { URLSearchParams } from 'node:url';
import { WITH_PARTS } from './people.mjs';

const PLACEHOLDER = /\{\{([a-z]+(?:\.[a-z0-9_]+)*)\}\}/g;

export class Placeholders {
  /** {path, key} of the resources created for the case, which are deleted after it. */
  made = [];
  own = new Map();

  constructor(world) {
    this.world = world;
  }

  /** Returns the case with every known placeholder replaced. Unknown ones stay as text. */
  async resolve(one) {
    const sent = { ...one, path: await this.fill(one.path) };
    sent.query = await this.fillQuery(sent, one.query ?? []);
    sent.headers = [];
    for (const [name, value] of one.headers ?? []) sent.headers.push([name, await this.fill(value, sent)]);
    if (one.body?.text) sent.body = { ...one.body, text: await this.fill(one.body.text) };
    return sent;
  }

  /** Requests a cursor with all other parameters of the query. */
  async fillQuery(sent, query) {
    const filled = [];
    for (const pair of query) {
      if (!Array.isArray(pair)) filled.push(pair);
      else if (!String(pair[1]).includes('{{next')) filled.push([pair[0], await this.fill(String(pair[1]))]);
    }
    for (const pair of query.filter((one) => Array.isArray(one) && String(one[1]).includes('{{next'))) {
      filled.push([pair[0], await this.fill(pair[1], { ...sent, query: filled })]);
    }
    return filled;
  }

  async fill(text, sent) {
    const names = [...text.matchAll(PLACEHOLDER)].map(([, name]) => name);
    if (names.length === 0) return text;
    const values = new Map();
    for (const name of new Set(names)) values.set(name, await this.value(name, sent));
    return text.replaceAll(PLACEHOLDER, (placeholder, name) => values.get(name) ?? placeholder);
  }

  async value(name, sent) {
    const [kind, ...rest] = name.split('.');
    if (name === 'unique') return this.world.unique();
    if (kind === 'new') return this.fresh(name, rest);
    if (kind === 'next') return this.cursor(sent, rest.join('.'));
    if (name === 'etag') return this.etag(sent);
    return this.world.names.get(name);
  }

  async fresh(name, [kind, variety]) {
    if (WITH_PARTS.includes(kind)) return (await this.whole(kind))[variety];
    if (!this.own.has(name)) {
      const { id, path } = await this.world.make(kind, variety);
      if (path) this.made.push({ path });
      this.own.set(name, id);
    }
    return this.own.get(name);
  }

  /** What has several parts, all of which a case uses. */
  async whole(kind) {
    if (!this.own.has(kind)) {
      const made = await this.world.make(kind);
      if (made.path) this.made.push(made);
      this.own.set(kind, made);
    }
    return this.own.get(kind);
  }

  /** The cursor of the list's second page; empty if the list has only one page. */
  async cursor({ path, query }, change) {
    const pairs = query.filter((pair) => Array.isArray(pair) && pair[0] !== 'cursor');
    const search = new URLSearchParams([
      ...pairs.map(([name, value]) => [name, String(value).toWellFormed()]),
      ['cursor', ''],
    ]);
    const answer = await this.world.ask('GET', `${path}?${search}`).catch(() => undefined);
    const cursor = answer?.meta?.next_cursor;
    if (!cursor) return change ? 'none' : '';
    return change ? this.world.cursors.changed(cursor, change, { path, query: pairs }) : cursor;
  }

  /** The ETag of the resource that the request changes. */
  async etag({ path }) {
    const response = await fetch(
      this.world.service.url + path.replace(/\/(?:publish|apply|review)$|\/versions\/1\/restore$/, ''),
      {
        headers: { Authorization: this.world.bearer('all') },
      },
    ).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.headers.get('etag') ?? '"none"';
  }

  /** Deletes the resources created for the case and by the case. */
  async cleanUp() {
    for (const { path, key } of this.made.splice(0)) {
      await this.world.ask('DELETE', path, undefined, { key }).catch(() => undefined);
    }
  }
}

/** Cursors that the service did not issue: altered ones, and ones with a valid digest over made-up keys. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MADE_UP = [
  'x',
  '',
  '0',
  '-1',
  '9'.repeat(30),
  'NaN',
  'Infinity',
  '\u{10ffff}',
  "'",
  '2026-99-99',
  '{}',
  '[]',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];

const ALTERED = {
  reversed: (cursor) => [...cursor].reverse().join(''),
  cut: (cursor) => cursor.slice(0, -3),
  flipped: (cursor) => cursor.replace(/^(.{8})(.)/, (_, before, one) => before + (one === 'A' ? 'B' : 'A')),
  doubled: (cursor) => cursor + cursor,
  longer: (cursor) => `${cursor}A`,
};

export const CURSOR_CHANGES = [
  ...Object.keys(ALTERED),
  ...MADE_UP.map((_, index) => `forged.${index}`),
  'forged.none',
  'forged.fewer',
  'forged.more',
];

export class Cursors {
  /** Uses the service's own functions, since anyone who reads the source can create such cursors. */
  static async load(dist) {
    const own = (path) => import(pathToFileURL(join(dist, path)).href);
    const { encodeCursor, decodeCursor } = await own('lists/cursor.js');
    const { parseId } = await own('ids/type-id.js');
    return new Cursors({ encodeCursor, decodeCursor, parseId });
  }

  constructor(parts) {
    Object.assign(this, parts);
  }

  /** `cursor` was issued by the list at `path` with these parameters; `change` is one of CURSOR_CHANGES. */
  changed(cursor, change, { path, query }) {
    if (ALTERED[change]) return ALTERED[change](cursor);
    const [name, keys] = this.contents(cursor, path, query);
    if (!name) return ALTERED.flipped(cursor);
    return this.encodeCursor(this.madeUp(keys, change.split('.')[1]), name);
  }

  madeUp(keys, which) {
    if (which === 'none') return keys.map(() => null);
    if (which === 'fewer') return keys.slice(0, -1);
    if (which === 'more') return [...keys, ...keys];
    return keys.map(() => MADE_UP[Number(which)]);
  }

  /** Finds the list name that the digest was made with, and returns it with the keys. */
  contents(cursor, path, query) {
    for (const name of this.listNames(path, query)) {
      const keys = this.decodeCursor(cursor, name);
      if (keys) return [name, keys];
    }
    return [];
  }

  listNames(path, query) {
    const value = (wanted) => query.find(([name]) => name === wanted)?.[1];
    const uuid = (prefix) => this.parseId(prefix, new RegExp(`${prefix}_[0-9a-z]+`).exec(path)?.[0] ?? '');
    const relevant = query.filter(
      ([name]) => !['cursor', 'per_page', 'highlight', 'preview', 'include', 'select'].includes(name),
    );
    return [
      'content types',
      'forms',
      `events ${value('filter[type]') ?? ''}`,
      `deliveries ${uuid('wh')} ${value('filter[status]') ?? ''} ${value('filter[event_type]') ?? ''}`,
      `referrers ${uuid('ent')}`,
      JSON.stringify([
        'media',
        value('filter[mime_type]'),
        value('search'),
        { true: true, false: false }[value('filter[alt][exists]')],
      ]),
      JSON.stringify(['submissions', uuid('frm'), value('sort')]),
      JSON.stringify(['submissions', uuid('frm'), '-created_at']),
      JSON.stringify([uuid('ct'), ...relevant.sort(([a], [b]) => (a < b ? -1 : 1))]),
    ];
  }
}

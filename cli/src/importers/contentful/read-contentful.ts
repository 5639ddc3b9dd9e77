import { UsageError } from '../../exit-code.js';
import {
  entriesOf,
  entryMark,
  fileMark,
  FILES,
  htmlMark,
  type FileDraft,
  type LocaleDraft,
  type Reading,
  type TypeDraft,
} from '../moving/model.js';
import { freeSlug, localeCodeOf } from '../moving/names.js';
import type { Report } from '../moving/report.js';
import type { Place } from '../moving/run-import.js';
import { fieldsOf, type MappedField } from './field-types.js';
import { readLists } from './read-json.js';
import { richTextHtml, type RichTextLinks } from './rich-text.js';
import {
  type ContentfulAsset,
  type ContentfulEntry,
  type ContentfulLocale,
  type ContentfulType,
  isLink,
} from './space.js';

const entryKey = (id: string) => `entry ${id}`;
const assetKey = (id: string) => `asset ${id}`;

/** What a first look at the file finds. */
class Space {
  readonly types: ContentfulType[] = [];
  readonly locales: ContentfulLocale[] = [];
  /** The content type of each entry, by ID. */
  readonly typeOf = new Map<string, string>();
  readonly assets = new Map<string, { alt: string; filename: string; isImage: boolean }>();
  private readonly links = new Map<string, Set<string>>();
  id = '';

  see(list: string, value: unknown, report: Report): void {
    if (list === 'contentTypes') this.types.push(value as ContentfulType);
    else if (list === 'locales') this.locales.push(value as ContentfulLocale);
    else if (list === 'entries') this.seeEntry(value as ContentfulEntry);
    else if (list === 'assets') this.seeAsset(value as ContentfulAsset);
    else report.add(`${OTHERS[list]} are left out.`);
  }

  get standard(): string {
    return this.locales.find((locale) => locale.default)?.code ?? this.locales[0]?.code ?? 'en-US';
  }

  targetsOf(typeId: string, fieldId: string): ReadonlySet<string> {
    const ids = this.links.get(`${typeId}.${fieldId}`) ?? [];
    return new Set([...ids].flatMap((id) => this.typeOf.get(id) ?? []));
  }

  private seeEntry({ sys, fields = {} }: ContentfulEntry): void {
    this.id ||= sys.space?.sys.id ?? '';
    const typeId = sys.contentType?.sys.id;
    if (typeId === undefined) return;
    this.typeOf.set(sys.id, typeId);
    for (const [fieldId, values] of Object.entries(fields)) {
      for (const value of Object.values(values).flat()) {
        if (!isLink(value) || value.sys.linkType !== 'Entry') continue;
        const key = `${typeId}.${fieldId}`;
        const ids = this.links.get(key) ?? new Set<string>();
        this.links.set(key, ids.add(value.sys.id));
      }
    }
  }

  private seeAsset({ sys, fields = {} }: ContentfulAsset): void {
    const file = first<{ fileName?: string; contentType?: string }>(fields.file, this.standard);
    const alt = first(fields.description, this.standard) ?? first(fields.title, this.standard) ?? '';
    this.assets.set(sys.id, {
      alt: alt.slice(0, 1_000),
      filename: file?.fileName ?? sys.id,
      isImage: file?.contentType?.startsWith('image/') ?? false,
    });
  }
}

/** Lists of an export that have no place, with their names for people. */
const OTHERS: Readonly<Record<string, string>> = {
  tags: 'Tags',
  webhooks: 'Webhooks',
  roles: 'Roles',
  editorInterfaces: 'Settings of the editor',
};

/** Reads an export twice: to see what it has, and to take it. */
export async function readContentful(
  file: string,
  { spool, report, signal }: Place,
): Promise<Omit<Reading, 'spool' | 'report'>> {
  const space = new Space();
  for await (const { list, value } of readLists(file, [
    'contentTypes',
    'locales',
    'entries',
    'assets',
    ...Object.keys(OTHERS),
  ])) {
    signal.throwIfAborted();
    space.see(list, value, report);
  }
  if (space.types.length === 0)
    throw new UsageError('The file is not an export of Contentful: it has no content types.');
  const taken = new Set<string>();
  const slugs = new Map<string, string>();
  for (const { sys } of space.types) {
    const slug = freeSlug(sys.id, taken);
    taken.add(slug);
    slugs.set(sys.id, slug);
    if (slug !== sys.id)
      report.add(
        'A content type has another slug, because slugs have lower-case letters, digits and hyphens only.',
        `${sys.id}: ${slug}`,
      );
  }
  const fileType = fileTypeOf(space, freeSlug('asset', taken));
  const context = {
    isLocalized: space.locales.length > 1,
    slugOf: (id: string) => slugs.get(id),
    targetsOf: (typeId: string, fieldId: string) => space.targetsOf(typeId, fieldId),
    slugs: [...slugs.values()],
    report,
  };
  const mapped = new Map(space.types.map((type) => [type.sys.id, fieldsOf(type, context)]));
  const typeOf = new Map<string, string>();
  const values = new Values(space, report);
  for await (const { list, value } of readLists(file, ['entries', 'assets'])) {
    signal.throwIfAborted();
    if (list === 'assets') {
      const draft = fileOf(value as ContentfulAsset, space, report);
      if (draft) await spool.add(FILES, draft);
      continue;
    }
    const entry = value as ContentfulEntry;
    const typeId = entry.sys.contentType?.sys.id ?? '';
    const slug = slugs.get(typeId);
    if (slug === undefined) {
      report.add('An entry has a content type that is not in the file, and is left out.', `${typeId} ${entry.sys.id}`);
      continue;
    }
    const key = entryKey(entry.sys.id);
    typeOf.set(key, slug);
    const fields = values.of(entry, mapped.get(typeId) ?? []);
    await spool.add(entriesOf(slug), { key, status: statusOf(entry, report), fields });
  }
  const types = space.types.map(({ sys, name }): TypeDraft => ({
    slug: slugs.get(sys.id)!,
    name: name || sys.id,
    fields: mapped.get(sys.id)!.map(({ to }) => to),
  }));
  for (const type of types) {
    if (type.fields.length > 0) continue;
    type.fields.push({ name: 'title', type: 'text' });
    report.add('A content type without fields got a title.', type.slug);
  }
  return {
    program: 'Contentful',
    source: space.id || 'contentful',
    locales: localesOf(space, report),
    fileType,
    types,
    typeOf,
  };
}

/** Converts the values of entries. */
class Values {
  private readonly links: RichTextLinks;
  private where = '';

  constructor(
    private readonly space: Space,
    private readonly report: Report,
  ) {
    this.links = {
      entryKey,
      asset: (id) => {
        const found = space.assets.get(id);
        return found && { key: assetKey(id), ...found };
      },
      note: (message) => report.add(message, this.where),
    };
  }

  of({ sys, fields = {}, metadata }: ContentfulEntry, mapped: readonly MappedField[]): Record<string, unknown> {
    this.where = `entry ${sys.id}`;
    if (metadata?.tags?.length) this.report.add('Tags of entries are left out.', this.where);
    if (metadata?.concepts?.length) this.report.add('Concepts of entries are left out.', this.where);
    const result: Record<string, unknown> = {};
    const codes = new Set(this.space.locales.map(({ code }) => code));
    const localized = (all: (readonly [string, unknown])[]) =>
      Object.fromEntries(all.flatMap(([code, one]) => (localeCodeOf(code) ? [[localeCodeOf(code)!, one]] : [])));
    for (const { from, to } of mapped) {
      const values = Object.entries(fields[from.id] ?? {}).filter(([code]) => codes.size === 0 || codes.has(code));
      const converted = values.flatMap(([code, value]) => {
        const one = this.value(value, to.type);
        return one === undefined || one === null ? [] : [[code, one] as const];
      });
      if (to.localized) {
        if (converted.length > 0) result[to.name] = localized(converted);
      } else {
        const own = converted.find(([code]) => code === this.space.standard) ?? converted[0];
        if (own) result[to.name] = own[1];
      }
    }
    return result;
  }

  private value(value: unknown, type: string): unknown {
    if (Array.isArray(value) && type !== 'json') {
      const items = value.map((item) => this.value(item, type)).filter((item) => item !== undefined && item !== null);
      return items.length > 0 ? items : undefined;
    }
    if (type === 'rich_text') return htmlMark(richTextHtml(value, this.links));
    if (!isLink(value) || type === 'json') return value === '' && type !== 'text' ? undefined : value;
    return value.sys.linkType === 'Asset' ? fileMark(assetKey(value.sys.id)) : entryMark(entryKey(value.sys.id));
  }
}

function statusOf({ sys }: ContentfulEntry, report: Report): 'draft' | 'published' {
  if (sys.archivedAt !== undefined || sys.archivedVersion !== undefined) {
    report.add('An archived entry is a draft.', `entry ${sys.id}`);
    return 'draft';
  }
  const { version, publishedVersion } = sys;
  if (publishedVersion === undefined) return 'draft';
  if (version !== undefined && version > publishedVersion + 1) {
    report.add(
      'An entry has changes that were not published: the file has no others, so they are published.',
      `entry ${sys.id}`,
    );
  }
  return 'published';
}

function fileTypeOf({ locales }: Space, slug: string): TypeDraft {
  const localized = locales.length > 1 && { localized: true };
  return {
    slug,
    name: 'Asset',
    fields: [
      { name: 'title', type: 'text', ...localized },
      { name: 'file', type: 'media' },
      { name: 'description', type: 'text', ...localized },
      { name: 'source', type: 'text' },
    ],
  };
}

function fileOf({ sys, fields = {} }: ContentfulAsset, space: Space, report: Report): FileDraft | undefined {
  const { title = {}, description = {}, file = {} } = fields;
  const own = first(file, space.standard);
  const sent = own?.url ?? own?.upload;
  if (sent === undefined) return void report.add('An asset without a file is left out.', `asset ${sys.id}`);
  if (new Set(Object.values(file).map(({ url }) => url)).size > 1) {
    report.add('An asset has other files in other locales: that of the default locale is taken.', `asset ${sys.id}`);
  }
  const url = sent.startsWith('//') ? `https:${sent}` : sent;
  const { alt, filename } = space.assets.get(sys.id)!;
  const isLocalized = space.locales.length > 1;
  const text = (values: Record<string, string>) =>
    isLocalized
      ? Object.fromEntries(
          Object.entries(values).flatMap(([code, one]) => (localeCodeOf(code) ? [[localeCodeOf(code)!, one]] : [])),
        )
      : first(values, space.standard);
  return {
    key: assetKey(sys.id),
    url,
    filename,
    alt,
    fields: {
      ...(Object.keys(title).length > 0 && { title: text(title) }),
      ...(Object.keys(description).length > 0 && { description: text(description) }),
      source: url,
    },
  };
}

function first<Value>(values: Record<string, Value> | undefined, standard: string): Value | undefined {
  return values?.[standard] ?? Object.values(values ?? {})[0];
}

function localesOf({ locales, standard }: Space, report: Report): Reading['locales'] {
  if (locales.length <= 1) return undefined;
  const codes = new Set(locales.map(({ code }) => code));
  const drafts = locales.flatMap(({ code, name, fallbackCode }): LocaleDraft[] => {
    const canonical = localeCodeOf(code);
    if (canonical === undefined) {
      report.add('A locale has no code of a language, and is left out.', code);
      return [];
    }
    const fallback =
      code !== standard && fallbackCode !== null && codes.has(fallbackCode) ? localeCodeOf(fallbackCode) : null;
    return [{ code: canonical, name: name || code, fallback: fallback ?? null }];
  });
  if (drafts.length > 50) report.add('A tenant has at most 50 locales.');
  return { default: localeCodeOf(standard) ?? standard, locales: drafts };
}

import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../exit-code.js';
import { keyedGroups } from '../moving/grouped.js';
import { entriesOf, FILES, type Reading, type TypeDraft } from '../moving/model.js';
import { freeSlug, localeCodeOf } from '../moving/names.js';
import type { Place } from '../moving/run-import.js';
import { UniqueValues } from '../moving/unique-values.js';
import { FILE, rowsOf, StrapiExport, type StrapiRow, type StrapiSchema } from './export-files.js';
import { documentKey, type StrapiField, strapiFields, uploadKey } from './fields.js';

/** Rows that tell nothing about content. */
const SILENT =
  /^(admin::|plugin::(i18n|content-releases|review-workflows|users-permissions\.(permission|role))|strapi::)/;

const FILE_FIELDS: TypeDraft['fields'] = [
  { name: 'title', type: 'text' },
  { name: 'file', type: 'media' },
  { name: 'caption', type: 'text' },
  { name: 'source', type: 'text' },
];

/** Reads the archive of `strapi export`. */
export async function readStrapi(file: string, place: Place): Promise<Omit<Reading, 'spool' | 'report'>> {
  if (file.endsWith('.enc')) throw new UsageError('The archive is encrypted. Export with --no-encrypt.');
  const { spool, report, signal } = place;
  const found = await StrapiExport.read(file, place);
  for (const [type, count] of found.others) {
    if (!SILENT.test(type))
      report.add(`Entries of ${type} are left out: only content types of your own are taken.`, undefined, count);
  }
  const schemas = [...found.schemas.values()].filter(
    ({ uid, modelType }) => modelType === 'contentType' && uid.startsWith('api::'),
  );
  const taken = new Set<string>();
  const slugs = new Map<string, string>();
  for (const { uid, info } of schemas) {
    const slug = freeSlug(info.singularName ?? uid.split('.').at(-1) ?? uid, taken);
    taken.add(slug);
    slugs.set(uid, slug);
  }
  const fileType: TypeDraft = { slug: freeSlug('upload-file', taken), name: 'Uploaded file', fields: FILE_FIELDS };
  await readFiles(place, found);
  // Relations name rows, so all rows must be known first.
  for (const { uid } of schemas) for await (const row of spool.values<StrapiRow>(rowsOf(uid))) found.noteDocument(row);

  const locales = localesOf(found);
  const context = {
    found,
    slugOf: (uid: string) => slugs.get(uid),
    isLocalized: ({ pluginOptions }: StrapiSchema, attribute: { pluginOptions?: { i18n?: { localized?: boolean } } }) =>
      locales !== undefined &&
      pluginOptions?.i18n?.localized === true &&
      attribute.pluginOptions?.i18n?.localized === true,
    report,
  };
  const typeOf = new Map<string, string>();
  const types: TypeDraft[] = [];
  const uniques = new UniqueValues();
  for (const schema of schemas) {
    const slug = slugs.get(schema.uid)!;
    const fields = strapiFields(schema, context);
    const isDrafted = schema.options?.draftAndPublish === true;
    const keyOf = ({ type, id }: StrapiRow) => found.documentOf(type, id) ?? String(id);
    for await (const { key, values: rows } of keyedGroups<StrapiRow>(spool, rowsOf(schema.uid), keyOf)) {
      signal.throwIfAborted();
      const entry = entryOf(rows, fields, { isDrafted, standard: locales?.default ?? found.defaultLocale });
      for (const field of fields) if (field.to.unique) uniques.see(slug, field.to, entry.fields[field.to.name]);
      typeOf.set(documentKey(schema.uid, key), slug);
      await spool.add(entriesOf(slug), { key: documentKey(schema.uid, key), ...entry });
    }
    types.push({ slug, name: schema.info.displayName ?? slug, fields: fields.map(({ to }) => to) });
  }
  for (const { slug, fields } of types) {
    if (fields.length === 0) fields.push({ name: 'title', type: 'text' });
    for (const field of fields) {
      if (!field.unique || !uniques.isRepeated(slug, field)) continue;
      delete field.unique;
      report.add('A field is not unique: several entries have the same value.', `${slug}.${field.name}`);
    }
  }
  return { program: 'Strapi', source: 'strapi', ...(locales && { locales }), fileType, types, typeOf };
}

async function readFiles({ spool, report }: Place, { uploads }: StrapiExport): Promise<void> {
  for await (const { id, data } of spool.values<StrapiRow>(rowsOf(FILE))) {
    const { name, hash, ext, url, alternativeText, caption } = data as Record<string, string | null>;
    const stored = uploads.get(`${hash ?? ''}${ext ?? ''}`);
    const isRemote = /^https?:\/\//.test(url ?? '');
    if (stored === undefined && !isRemote) {
      report.add('A file is not in the archive, and is left out.', name ?? String(id));
      continue;
    }
    await spool.add(FILES, {
      key: uploadKey(id),
      filename: name ?? `${hash}${ext}`,
      alt: (alternativeText ?? '').slice(0, 1_000),
      ...(stored === undefined ? { url } : { path: stored, ...(url && { urls: [url] }) }),
      fields: { title: name ?? '', ...(caption && { caption }), ...(url && { source: url }) },
    });
  }
}

function localesOf({ locales, defaultLocale }: StrapiExport): Reading['locales'] {
  const known = locales.flatMap(({ code, name }) => {
    const canonical = localeCodeOf(code);
    return canonical === undefined ? [] : [{ code: canonical, name, fallback: null }];
  });
  if (known.length < 2) return undefined;
  const standard = localeCodeOf(defaultLocale ?? 'en') ?? 'en';
  const first = known.some(({ code }) => code === standard) ? standard : known[0]!.code;
  return { default: first, locales: known };
}

interface Versions {
  isDrafted: boolean;
  standard: string | undefined;
}

/** The entry of the rows of a document: in each locale one that is published, or not, or both. */
function entryOf(rows: readonly StrapiRow[], fields: readonly StrapiField[], { isDrafted, standard }: Versions) {
  const isLive = ({ data }: StrapiRow) =>
    !isDrafted || (data['publishedAt'] !== null && data['publishedAt'] !== undefined);
  const live = rows.filter(isLive);
  const drafts = rows.filter((row) => !isLive(row));
  const status = live.length > 0 ? ('published' as const) : ('draft' as const);
  const shown = valuesOf(live.length > 0 ? live : drafts, fields, standard);
  if (live.length === 0 || drafts.length === 0) return { status, fields: shown };
  const later = valuesOf(drafts, fields, standard);
  const changed = Object.entries(later).filter(([name, value]) => !isDeepStrictEqual(value, shown[name]));
  return { status, fields: shown, ...(changed.length > 0 && { draft: Object.fromEntries(changed) }) };
}

function valuesOf(
  rows: readonly StrapiRow[],
  fields: readonly StrapiField[],
  standard: string | undefined,
): Record<string, unknown> {
  const codeOf = ({ data }: StrapiRow) =>
    localeCodeOf((data['locale'] as string | null | undefined) ?? standard ?? 'en') ?? 'en';
  const own = rows.find((row) => codeOf(row) === standard) ?? rows[0];
  const result: Record<string, unknown> = {};
  for (const { to, value } of fields) {
    if (to.localized) {
      const values = rows
        .map((row) => [codeOf(row), value(row.data, row.type, row.id)] as const)
        .filter(([, one]) => one !== undefined && one !== null);
      if (values.length > 0) result[to.name] = Object.fromEntries(values);
    } else if (own) {
      const one = value(own.data, own.type, own.id);
      if (one !== undefined && one !== null) result[to.name] = one;
    }
  }
  return result;
}

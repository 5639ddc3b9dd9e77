import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../exit-code.js';
import { linesOf, parsedLine } from '../../lines/lines.js';
import { filesIn } from '../moving/archive.js';
import { keyedGroups } from '../moving/grouped.js';
import { entriesOf, type EntryDraft, type FieldDraft, FILES, type Reading, type TypeDraft } from '../moving/model.js';
import { freeSlug, labelOf } from '../moving/names.js';
import type { Place } from '../moving/run-import.js';
import { UniqueValues } from '../moving/unique-values.js';
import { keyOfId } from './asset-keys.js';
import { planFields, type PlannedField, plannedValues, sanityKey } from './plan.js';
import { baseId, Shape } from './shape.js';

interface SanityDocument {
  _id: string;
  _type: string;
  [name: string]: unknown;
}

interface AssetData {
  originalFilename?: string;
  title?: string;
  description?: string;
  altText?: string;
  url?: string;
}

const DOCUMENTS = 'documents';
const documentsOf = (type: string) => `documents of ${type}`;
/** Documents of Sanity itself. */
const SYSTEM = /^(system|sanity|assist)\./;
const MAX_ASSETS_JSON = 64 * 1024 * 1024;

const FILE_FIELDS: TypeDraft['fields'] = [
  { name: 'title', type: 'text' },
  { name: 'file', type: 'media' },
  { name: 'description', type: 'text' },
  { name: 'source', type: 'text' },
];

/** What the archive has besides the documents, which are in the spool. */
class Dataset {
  readonly shapes = new Map<string, Map<string, Shape>>();
  readonly typeOf = new Map<string, string>();
  /** The paths of the files in the spool, by name. */
  readonly files = new Map<string, string>();
  readonly assets = new Map<string, AssetData>();

  static async read(file: string, { spool, report, signal }: Place): Promise<Dataset> {
    const found = new Dataset();
    let hasDocuments = false;
    for await (const { name, content } of filesIn(file, signal)) {
      // The files of an export are in a folder that has the name of the dataset and the time.
      const key = /(?:images|files)\/[^/]+$/.exec(name)?.[0];
      if (key !== undefined) {
        const path = spool.newPath();
        await pipeline(content, createWriteStream(path, { mode: 0o600 }));
        found.files.set(key, path);
      } else if (name.endsWith('assets.json')) {
        found.seeAssets(parsedLine(await textWithin(MAX_ASSETS_JSON, content), 'assets.json'));
      } else if (name.endsWith('.ndjson')) {
        hasDocuments = true;
        for await (const line of linesOf(content, name)) {
          const document = parsedLine<SanityDocument>(line, name);
          if (typeof document._id !== 'string' || typeof document._type !== 'string')
            throw new UsageError(`${name} has a line without _id and _type.`);
          if (SYSTEM.test(document._type)) found.seeSystem(document);
          else if (document._id.startsWith('versions.')) report.add('Versions of releases are left out.', document._id);
          else {
            found.see(document);
            await spool.add(DOCUMENTS, document);
          }
        }
      }
    }
    if (!hasDocuments) throw new UsageError('The archive is not an export of Sanity: it has no data.ndjson.');
    return found;
  }

  private see(document: SanityDocument): void {
    const { _id: id, _type: type } = document;
    this.typeOf.set(baseId(id), type);
    const shapes = this.shapes.get(type) ?? new Map<string, Shape>();
    this.shapes.set(type, shapes);
    for (const [name, value] of Object.entries(document)) {
      if (name.startsWith('_')) continue;
      const shape = shapes.get(name) ?? new Shape();
      shapes.set(name, shape);
      shape.see(value);
    }
  }

  private seeSystem(document: SanityDocument): void {
    const key = keyOfId(document._id);
    if (/^sanity\.(image|file)Asset$/.test(document._type) && key !== undefined)
      this.assets.set(key, document as AssetData);
  }

  private seeAssets(assets: Record<string, AssetData>): void {
    for (const [id, data] of Object.entries(assets)) {
      const key = keyOfId(id);
      if (key !== undefined) this.assets.set(key, data);
      // Newer exports name an asset by its hash alone.
      else
        for (const name of this.files.keys())
          if (name.includes(`/${id.replace(/^(image|file)-/, '')}`)) this.assets.set(name, data);
    }
  }
}

async function textWithin(most: number, content: AsyncIterable<unknown>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > most) throw new UsageError('assets.json is too large.');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString();
}

/** Reads the archive of `sanity dataset export`. */
export async function readSanity(file: string, place: Place): Promise<Omit<Reading, 'spool' | 'report'>> {
  const { spool, report, signal } = place;
  const dataset = await Dataset.read(file, place);
  const taken = new Set<string>();
  const slugs = new Map<string, string>();
  for (const type of dataset.shapes.keys()) {
    const slug = freeSlug(type, taken);
    taken.add(slug);
    slugs.set(type, slug);
    if (slug !== type)
      report.add(
        'A content type has another slug, because slugs have lower-case letters, digits and hyphens only.',
        `${type}: ${slug}`,
      );
  }
  await addFiles(place, dataset);
  const where = { text: '' };
  const context = { slugOf: (id: string) => slugs.get(dataset.typeOf.get(id) ?? ''), report, where };
  const plans = new Map([...dataset.shapes].map(([type, shapes]) => [type, planFields(type, shapes, context)]));
  for await (const document of spool.values<SanityDocument>(DOCUMENTS))
    await spool.add(documentsOf(document._type), document);

  const typeOf = new Map<string, string>();
  const uniques = new UniqueValues();
  for (const [type, fields] of plans) {
    const slug = slugs.get(type)!;
    for await (const { key, values } of keyedGroups<SanityDocument>(spool, documentsOf(type), ({ _id: id }) =>
      baseId(id),
    )) {
      signal.throwIfAborted();
      where.text = `${type} ${key}`;
      const entry = entryOf(values, fields);
      for (const field of fields) if (field.to.unique) uniques.see(slug, field.to, entry.fields[field.to.name]);
      typeOf.set(sanityKey(key), slug);
      await spool.add(entriesOf(slug), { key: sanityKey(key), ...entry });
    }
  }
  const types = [...plans].map(([type, fields]): TypeDraft => {
    const slug = slugs.get(type)!;
    const drafts = fields.map(({ to }) => (to.unique && uniques.isRepeated(slug, to) ? withoutUnique(to) : to));
    return { slug, name: labelOf(type), fields: drafts.length > 0 ? drafts : [{ name: 'title', type: 'text' }] };
  });
  const fileType: TypeDraft = { slug: freeSlug('sanity-asset', taken), name: 'Asset', fields: FILE_FIELDS };
  return { program: 'Sanity', source: 'sanity', fileType, types, typeOf };
}

function withoutUnique(field: FieldDraft): FieldDraft {
  const rest = { ...field };
  delete rest.unique;
  return rest;
}

async function addFiles({ spool, report }: Place, { files, assets }: Dataset): Promise<void> {
  for (const key of new Set([...files.keys(), ...assets.keys()])) {
    const path = files.get(key);
    const { originalFilename, title, description, altText, url } = assets.get(key) ?? {};
    if (path === undefined && url === undefined) {
      report.add('A file is not in the archive, and is left out.', key);
      continue;
    }
    await spool.add(FILES, {
      key,
      filename: originalFilename ?? key.split('/').at(-1),
      alt: (altText ?? '').slice(0, 1_000),
      ...(path === undefined ? { url } : { path, ...(url !== undefined && { urls: [url] }) }),
      fields: {
        title: title ?? originalFilename ?? key,
        ...(description && { description }),
        source: url ?? key,
      },
    });
  }
}

/** The entry of a document, which may be published, a draft, or both. */
function entryOf(versions: readonly SanityDocument[], fields: readonly PlannedField[]): Omit<EntryDraft, 'key'> {
  const live = versions.find(({ _id: id }) => !id.startsWith('drafts.'));
  const draft = versions.find(({ _id: id }) => id.startsWith('drafts.'));
  const shown = plannedValues(fields, (live ?? draft)!);
  if (!live) return { status: 'draft', fields: shown };
  if (!draft) return { status: 'published', fields: shown };
  const later = plannedValues(fields, draft);
  const changed = Object.entries(later).filter(([name, value]) => !isDeepStrictEqual(value, shown[name]));
  const gone = Object.keys(shown).filter((name) => !(name in later));
  const values = { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((name) => [name, null])) };
  return { status: 'published', fields: shown, ...(Object.keys(values).length > 0 && { draft: values }) };
}

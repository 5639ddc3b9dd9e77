import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from '@trivet/client/request';
import { UsageError } from '../exit-code.js';

type Document = Contract.PlanSchema['document'];
type Item = Record<string, unknown>;

/** The folders of a schema, and what the file of an item is named after. */
const KINDS = { types: 'slug', forms: 'slug', webhooks: 'url' } as const;
type Kind = keyof typeof KINDS;
const LOCALES = 'locales.json';

/** A schema in files, with the path of each item's file in the order of the document. */
export interface SchemaInFiles {
  readonly document: Document;
  readonly files: Readonly<Record<Kind, readonly string[]>>;
}

/** Reads the files of a schema. Throws a UsageError if there are none, or if one is not JSON: nothing may be deleted because of it. */
export async function readSchema(folder: string): Promise<SchemaInFiles> {
  const read = { types: [] as Item[], forms: [] as Item[], webhooks: [] as Item[] };
  const files: Record<Kind, string[]> = { types: [], forms: [], webhooks: [] };
  for (const kind of Object.keys(KINDS) as Kind[]) {
    for (const name of await jsonFiles(join(folder, kind))) {
      read[kind].push(await readItem(join(folder, kind, name)));
      files[kind].push(join(kind, name));
    }
  }
  const locales = await readItem(join(folder, LOCALES)).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!locales && Object.values(read).every((items) => items.length === 0)) {
    throw new UsageError(`${folder} has no files of a schema. Write them first: trivet pull ${folder}`);
  }
  // The service checks the shape, and its errors name the files.
  return { document: { ...read, ...(locales && { locales }) } as unknown as Document, files };
}

/** Writes a schema, one file for each item, and removes the files of items that are gone. Returns the files that were removed. */
export async function writeSchema(folder: string, document: Contract.SchemaDocument): Promise<string[]> {
  const removed: string[] = [];
  await mkdir(folder, { recursive: true });
  await writeItem(join(folder, LOCALES), document.locales);
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const items = document[kind] as unknown as Item[];
    const names = fileNames(items.map((item) => String(item[KINDS[kind]])));
    if (items.length > 0) await mkdir(join(folder, kind), { recursive: true });
    for (const [index, item] of items.entries()) await writeItem(join(folder, kind, names[index] ?? ''), item);
    for (const name of await jsonFiles(join(folder, kind))) {
      if (names.includes(name) || !(await isItem(join(folder, kind, name), kind))) continue;
      await rm(join(folder, kind, name));
      removed.push(join(kind, name));
    }
  }
  return removed;
}

/** A name for each item. URLs become words, and equal names get numbers. */
function fileNames(keys: readonly string[]): string[] {
  const taken = new Set<string>();
  return keys.map((key) => {
    const words = key.replace(/^https?:\/\//, '').replace(/[^A-Za-z0-9]+/g, '-');
    const base = words.replace(/^-|-$/g, '').toLowerCase().slice(0, 100) || 'item';
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
    taken.add(name);
    return `${name}.json`;
  });
}

async function jsonFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith('.json')).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function isItem(file: string, kind: Kind): Promise<boolean> {
  const item = await readItem(file).catch(() => undefined);
  return item !== undefined && KINDS[kind] in item;
}

async function readItem(file: string): Promise<Item> {
  const text = await readFile(file, 'utf8');
  let item: unknown;
  try {
    item = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) return item as Item;
  throw new UsageError(`${file} must have a JSON object.`);
}

async function writeItem(file: string, item: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(item, null, 2)}\n`);
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

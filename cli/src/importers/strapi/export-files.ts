import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../../exit-code.js';
import { linesOf, parsedLine } from '../../lines/lines.js';
import { filesIn } from '../moving/archive.js';
import type { Place } from '../moving/run-import.js';

export interface StrapiAttribute {
  type: string;
  relation?: string;
  target?: string;
  mappedBy?: string;
  multiple?: boolean;
  repeatable?: boolean;
  component?: string;
  components?: string[];
  enum?: string[];
  unique?: boolean;
  required?: boolean;
  visible?: boolean;
  pluginOptions?: { i18n?: { localized?: boolean } };
}

export interface StrapiSchema {
  uid: string;
  modelType: 'contentType' | 'component';
  kind?: 'collectionType' | 'singleType';
  info: { singularName?: string; displayName?: string };
  options?: { draftAndPublish?: boolean };
  pluginOptions?: { i18n?: { localized?: boolean } };
  attributes: Record<string, StrapiAttribute>;
}

/** A row of a table: of a document in one locale, published or not. */
export interface StrapiRow {
  type: string;
  id: number | string;
  data: Record<string, unknown>;
}

interface End {
  type: string;
  ref: number | string;
  field?: string;
  pos?: number;
}

interface StrapiLink {
  kind: string;
  relation: string;
  left: End;
  right: End;
}

interface Linked {
  type: string;
  ref: number | string;
  pos: number;
}

export const FILE = 'plugin::upload.file';
const LOCALE = 'plugin::i18n.locale';
export const rowsOf = (uid: string) => `rows of ${uid}`;

/** What an export has: its rows are in the spool, and the rest is here. */
export class StrapiExport {
  readonly schemas = new Map<string, StrapiSchema>();
  /** The paths of the files in the spool, by name. */
  readonly uploads = new Map<string, string>();
  readonly locales: { code: string; name: string }[] = [];
  defaultLocale: string | undefined;
  /** The number of rows of types that are not imported. */
  readonly others = new Map<string, number>();
  private readonly links = new Map<string, Linked[]>();
  /** Rows of the same document in other locales, before version 5. */
  private readonly localizations = new Map<string, string>();
  private readonly documents = new Map<string, string>();

  /** Reads the archive once. */
  static async read(file: string, { spool, signal }: Place): Promise<StrapiExport> {
    const found = new StrapiExport();
    for await (const { name, content } of filesIn(file, signal)) {
      const [folder, sub] = name.split('/');
      if (folder === 'assets' && sub === 'uploads') {
        const path = spool.newPath();
        await pipeline(content, createWriteStream(path, { mode: 0o600 }));
        found.uploads.set(name.slice('assets/uploads/'.length), path);
      } else if (name.endsWith('.jsonl')) {
        for await (const line of linesOf(content, name)) await found.see(folder ?? '', parsedLine(line, name), spool);
      }
    }
    if (found.schemas.size === 0) throw new UsageError('The archive is not an export of Strapi: it has no schemas.');
    return found;
  }

  /** What a row refers to in a field, in order. */
  linked(type: string, ref: number | string, field: string): readonly Linked[] {
    return [...(this.links.get(`${type}#${ref}#${field}`) ?? [])].sort((a, b) => a.pos - b.pos);
  }

  /** The document of a row: the same in all locales. */
  documentOf(type: string, id: number | string): string | undefined {
    const row = `${type}#${id}`;
    return this.documents.get(row);
  }

  /** Notes the document of a row, and returns it. */
  noteDocument({ type, id, data }: StrapiRow): string {
    const own = data['documentId'];
    const document = typeof own === 'string' ? own : (this.rootOf(`${type}#${id}`).split('#')[1] ?? String(id));
    this.documents.set(`${type}#${id}`, document);
    return document;
  }

  private async see(folder: string, value: unknown, spool: Place['spool']): Promise<void> {
    if (folder === 'schemas') {
      const schema = value as StrapiSchema;
      this.schemas.set(schema.uid, schema);
    } else if (folder === 'entities') {
      const row = value as StrapiRow;
      if (row.type === LOCALE) this.locales.push(row.data as { code: string; name: string });
      else if (row.type === FILE || row.type.startsWith('api::')) await spool.add(rowsOf(row.type), row);
      else this.others.set(row.type, (this.others.get(row.type) ?? 0) + 1);
    } else if (folder === 'links') this.seeLink(value as StrapiLink);
    else if (folder === 'configuration')
      this.seeConfiguration(value as { type?: string; data?: { key?: string; value?: string } });
  }

  private seeLink({ left, right }: StrapiLink): void {
    if (left.field === 'localizations') {
      if (typeof right.ref === 'number') this.join(`${left.type}#${left.ref}`, `${right.type}#${right.ref}`);
    } else if (left.type === FILE && left.field === 'related') {
      if (right.field !== undefined) this.link(right, right.field, { type: FILE, ref: left.ref, pos: right.pos ?? 0 });
    } else if (left.field !== undefined && !left.type.startsWith('admin::')) {
      this.link(left, left.field, { type: right.type, ref: right.ref, pos: left.pos ?? 0 });
    }
  }

  private link({ type, ref }: End, field: string, to: Linked): void {
    const key = `${type}#${ref}#${field}`;
    const all = this.links.get(key);
    if (all) all.push(to);
    else this.links.set(key, [to]);
  }

  private join(one: string, other: string): void {
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    if (a === b) return;
    const idOf = (row: string) => Number(row.split('#')[1]);
    if (idOf(a) < idOf(b)) this.localizations.set(b, a);
    else this.localizations.set(a, b);
  }

  private rootOf(row: string): string {
    let root = row;
    for (let next = this.localizations.get(root); next !== undefined; next = this.localizations.get(root)) root = next;
    return root;
  }

  private seeConfiguration({ data }: { data?: { key?: string; value?: string } }): void {
    if (data?.key !== 'plugin_i18n_default_locale' || data.value === undefined) return;
    this.defaultLocale = data.value.replace(/^"|"$/g, '');
  }
}

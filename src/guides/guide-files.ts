import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { StaticFile } from '../http/responses/static-file.js';
import { GuideSearch, type SearchIndex } from './guide-search.js';

/** What `scripts/guides.mjs` has made of docs/: beside the compiled sources, or in dist for the sources themselves. */
const BUILT = new URL(import.meta.url.endsWith('.ts') ? '../../dist/guides/' : '../../guides/', import.meta.url);

/** The guides, which are read from the build when the first client asks for them, and then kept in memory: a few megabytes. */
export class GuideFiles {
  private readonly files = new Map<string, StaticFile>();
  private texts?: Promise<Readonly<Record<string, string>> | undefined>;
  private index?: Promise<GuideSearch | undefined>;

  /** Returns the file with this path below `/guides/`; undefined if there is none. The path `undefined` is `/guides` without a slash. */
  async find(path: string | undefined): Promise<StaticFile | undefined> {
    const name = path ?? '(index)';
    const known = this.files.get(name);
    if (known) return known;
    this.texts ??= once(read<Record<string, string>>('pages.json'), () => (this.texts = undefined));
    const texts = await this.texts;
    const text = texts && Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (text === undefined) return undefined;
    const file = new StaticFile(typeOf(name), text);
    this.files.set(name, file);
    return file;
  }

  /** Undefined if the guides were not built. */
  search(): Promise<GuideSearch | undefined> {
    this.index ??= once(
      read<SearchIndex>('search.json').then((index) => index && GuideSearch.of(index)),
      () => (this.index = undefined),
    );
    return this.index;
  }
}

/** Undefined if the guides were not built. */
async function read<T>(name: string): Promise<T | undefined> {
  const file = new URL(name, BUILT);
  if (!existsSync(file)) return undefined;
  return JSON.parse(await readFile(file, 'utf8')) as T;
}

/** A failure is not kept. */
function once<T>(promise: Promise<T>, forget: () => void): Promise<T> {
  promise.catch(forget);
  return promise;
}

function typeOf(name: string): string {
  if (name.endsWith('.css')) return 'text/css; charset=utf-8';
  return `text/${name.endsWith('.md') ? 'markdown' : 'html'}; charset=utf-8`;
}

import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { type Encoding, StaticFile } from '../http/responses/static-file.js';

/** What `scripts/console.mjs` has built: beside the compiled sources, or in dist for the sources themselves. */
const BUILT = new URL(import.meta.url.endsWith('.ts') ? '../../dist/console/' : '../../console/', import.meta.url);
const INDEX = new URL('index.html', BUILT);
const PREVIEW_FRAME = new URL('preview-frame.html', BUILT);

const HTML = 'text/html; charset=utf-8';

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};
const COMPRESSED: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** Whether the build has a console. */
export function isConsoleBuilt(): boolean {
  return existsSync(INDEX);
}

/** The files of the console, which are read when the first client asks for them, and then kept in memory: a megabyte. */
export class ConsoleFiles {
  private readonly pages = new Map<string, StaticFile>();
  private readonly assets = new Map<string, Promise<StaticFile>>();
  private readonly html = readFileSync(INDEX, 'utf8');
  private readonly previewHtml = readFileSync(PREVIEW_FRAME, 'utf8');
  private names?: Promise<ReadonlySet<string>>;

  /** Returns the page for all addresses of the console, which is served below `basePath`. */
  page(basePath: string): StaticFile {
    const known = this.pages.get(basePath);
    if (known) return known;
    const page = new StaticFile(HTML, withAssets(this.html, basePath));
    this.pages.set(basePath, page);
    return page;
  }

  /** Returns the page of the live preview, which may frame the origin `site`; undefined: none. */
  previewFrame(basePath: string, site = ''): StaticFile {
    return new StaticFile(HTML, withAssets(this.previewHtml, basePath).replace('{site}', site));
  }

  /** Returns the script, style or picture with this name; undefined if there is none. */
  async asset(name: string): Promise<StaticFile | undefined> {
    this.names ??= namesOfAssets();
    this.names.catch(() => (this.names = undefined));
    if (!(await this.names).has(name)) return undefined;
    const known = this.assets.get(name) ?? readAsset(name);
    this.assets.set(name, known);
    known.catch(() => this.assets.delete(name));
    return known;
  }
}

function withAssets(html: string, basePath: string): string {
  return html.replaceAll('"./assets/', `"${basePath}/console/assets/`);
}

async function namesOfAssets(): Promise<ReadonlySet<string>> {
  const names = await readdir(new URL('assets/', BUILT));
  return new Set(names.filter((name) => typeOf(name) !== undefined));
}

async function readAsset(name: string): Promise<StaticFile> {
  const file = new URL(`assets/${name}`, BUILT);
  const content = await readFile(file);
  const compressed = COMPRESSED.map(
    async ([encoding, suffix]) => [encoding, await readFile(new URL(`${file.href}${suffix}`))] as const,
  );
  return new StaticFile(typeOf(name) ?? '', content, await Promise.all(compressed));
}

function typeOf(name: string): string | undefined {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)];
}

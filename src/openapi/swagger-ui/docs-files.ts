import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import absolutePath from 'swagger-ui-dist/absolute-path.js';
import { StaticFile } from '../../http/responses/static-file.js';
import { DOCS_STYLE } from './docs-style.js';
import { expandFilters } from './expand-filters.js';
import { filterOperations } from './filter-operations.js';
import { foldParameters } from './fold-parameters.js';
import { startDocs } from './start-docs.js';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const SCRIPT = `(${startDocs.toString()})(window, {
requestInterceptor: ${expandFilters.toString()},
opsFilter: ${filterOperations.toString()},
fold: ${foldParameters.toString()},
});
`;

/** The files of the page, by names that contain the hash of their contents. */
export interface DocsFiles {
  files: ReadonlyMap<string, StaticFile>;
  scripts: string[];
  styles: string[];
}

/** Reads Swagger UI's files and adds ours. Its versions 5.33 to 5.35 leave out operations of a document with more than 128, hence the exact one in package.json. */
export async function readDocsFiles(): Promise<DocsFiles> {
  const directory = absolutePath();
  const theirs = ['swagger-ui.css', 'swagger-ui-bundle.js'];
  const contents = await Promise.all(theirs.map((name) => readFile(join(directory, name))));
  const files = new Map([
    ...theirs.map((name, index) => hashed(name, contents[index] ?? '')),
    hashed('docs.css', DOCS_STYLE),
    hashed('docs.js', SCRIPT),
  ]);
  const names = [...files.keys()];
  return {
    files,
    scripts: names.filter((name) => name.endsWith('.js')),
    styles: names.filter((name) => name.endsWith('.css')),
  };
}

/** `docs.js` becomes `docs.0123456789abcdef.js`. */
function hashed(name: string, content: Buffer | string): [string, StaticFile] {
  const extension = extname(name);
  const file = new StaticFile(TYPES[extension] ?? 'application/octet-stream', content);
  return [`${name.slice(0, -extension.length)}.${file.hash}${extension}`, file];
}

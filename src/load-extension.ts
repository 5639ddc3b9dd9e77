import { existsSync, readdirSync } from 'node:fs';
import { register } from 'node:module';
import { ConfigError } from './config/environment.js';
import { type ModuleManifest, isManifest } from './modules/module-manifest.js';

/** The compiled folders (in the tests: the folders themselves), beside the folder of this file. */
const FOLDER = new URL('../extensions/', import.meta.url);

/** Loads the module of an extension: of a folder in `extensions/`, or of an installed package. Throws a ConfigError. */
export async function loadExtension(name: string): Promise<ModuleManifest> {
  const isFolder = existsSync(new URL(`${name}/`, FOLDER));
  if (!isFolder) letPackagesImportTrivet();
  const exports = await importExtension(name, isFolder ? `../extensions/${name}/${name}.manifest.js` : name);
  const [manifest, ...others] = Object.values(exports).filter(isManifest);
  if (!manifest || others.length > 0) throw broken(name, 'it must export one module, the result of defineModule');
  return { ...manifest, ...guarded(name, manifest) };
}

async function importExtension(name: string, specifier: string): Promise<object> {
  try {
    return (await import(specifier)) as object;
  } catch (error) {
    if (!isMissing(error, name)) throw broken(name, error);
    const folders = existsSync(FOLDER) ? readdirSync(FOLDER).join(', ') : '';
    throw new ConfigError([
      `EXTENSIONS contains ${name}, which is neither a folder in extensions/ (${folders || 'it is empty'}) nor an installed package.`,
    ]);
  }
}

/** Whether the package itself was not found, rather than something that it imports. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  const isNotFound = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return isNotFound && (message.includes(`'${name}'`) || message.includes(`package '${name}'`));
}

/** The functions of the module, which load its code. Their errors name the extension. */
function guarded(
  name: string,
  { tables, fieldTypes, module }: ModuleManifest,
): Pick<ModuleManifest, 'tables' | 'fieldTypes' | 'module'> {
  const guard = async <Result>(load: () => Promise<Result>): Promise<Result> => {
    try {
      return await load();
    } catch (error) {
      throw broken(name, error);
    }
  };
  return {
    tables: tables && (() => guard(tables)),
    fieldTypes: fieldTypes && (() => guard(fieldTypes)),
    module: () => guard(module),
  };
}

function broken(name: string, cause: unknown): ConfigError {
  const [line] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  return new ConfigError([`EXTENSIONS: ${name} cannot be loaded: ${line?.replace(/\.$/, '')}.`]);
}

let canImport = false;

/**
 * Lets packages import `trivet/…`. Folders need no help, because they belong to the package `trivet` themselves. For a package, the name
 * would have to be installed beside it, and would then be a second copy with other classes.
 */
function letPackagesImportTrivet(): void {
  if (canImport) return;
  canImport = true;
  register('./trivet-imports.js', import.meta.url, { data: import.meta.url });
}

import { installedModules } from './installed-modules.js';
import type { ModuleManifest, MigrationClass, Tables } from './module-manifest.js';

/** Loads the tables of all installed modules. The migrations are in the order in which they run. */
export async function tablesOfModules(): Promise<Required<Tables>> {
  const tables = await Promise.all(installedModules().map(tablesOf));
  const migrations = tables.flatMap((some) => some.migrations);
  const twice = migrations.find(({ name }, index) => migrations.findIndex((one) => one.name === name) < index);
  if (twice) throw new Error(`There are two migrations with the name ${twice.name}.`);
  return {
    entities: tables.flatMap((some) => some.entities),
    migrations: migrations.sort((a, b) => timestampOf(a) - timestampOf(b)),
    encrypted: tables.flatMap((some) => some.encrypted ?? []),
  };
}

async function tablesOf({ name, tables }: ModuleManifest): Promise<Tables> {
  const loaded = (await tables?.()) ?? { entities: [], migrations: [] };
  const unordered = loaded.migrations.find((migration) => Number.isNaN(timestampOf(migration)));
  if (unordered)
    throw new Error(`The name of the migration ${unordered.name} of ${name} must end in a timestamp of 13 digits.`);
  return loaded;
}

function timestampOf({ name }: MigrationClass): number {
  return Number(/\d{13}$/.exec(name)?.[0]);
}

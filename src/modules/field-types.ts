import { registerFieldTypes } from '../fields/registry.js';
import { installedModules } from './installed-modules.js';

/** Makes the field types of all installed modules available. Throws if a name is taken. */
export async function loadFieldTypes(): Promise<void> {
  const types = await Promise.all(installedModules().map(async ({ fieldTypes }) => fieldTypes?.()));
  registerFieldTypes(types.flatMap((some) => some ?? []));
}

import { registerFieldTypes } from '../fields/registry.js';
import { rooms } from './installed.js';

/** Makes the field types of all installed rooms available. Throws if a name is taken. */
export async function loadFieldTypes(): Promise<void> {
  const types = await Promise.all(rooms().map(async ({ fieldTypes }) => fieldTypes?.()));
  registerFieldTypes(types.flatMap((some) => some ?? []));
}

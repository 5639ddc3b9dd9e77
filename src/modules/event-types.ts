import { installedModules } from './installed-modules.js';
import type { DataClass, EventDeclaration } from './module-manifest.js';

/** A declared type of event whose DTO is loaded. */
export interface LoadedEventType extends Pick<EventDeclaration, 'description' | 'example' | 'isErasable'> {
  readonly type: string;
  readonly data: DataClass;
}

let loaded: readonly LoadedEventType[] = [];

/** Loads the DTOs of the events of all installed modules. */
export async function loadEventTypes(): Promise<void> {
  const types = installedModules().flatMap(({ events = {} }) =>
    Object.entries(events).map(async ([type, { data, ...declaration }]) => {
      return { ...declaration, type, data: await data() };
    }),
  );
  loaded = await Promise.all(types);
}

/** The types of events of all installed modules, in the order of their declarations. */
export function loadedEventTypes(): readonly LoadedEventType[] {
  return loaded;
}

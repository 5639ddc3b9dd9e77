import { GENERAL_SCOPES } from '../config/scopes.js';
import { clashesOf, errorsOf } from './clashes.js';
import type { ModuleManifest, Area, EventType, Tag } from './module-manifest.js';
import { scopesOfModule } from './module-scopes.js';

let installed: readonly ModuleManifest[] | undefined;

/** Sets the modules of this process, in the order of the documentation. Throws if two of them declare the same. */
export function installModules(modules: readonly ModuleManifest[]): void {
  modules.forEach((manifest, index) => {
    const [error] = [...errorsOf(manifest), ...clashesOf(manifest, modules.slice(0, index))];
    if (error) throw new Error(`The module ${manifest.name}: ${error}.`);
  });
  installed = modules;
}

/** The modules of this process: Trivet's own, then the extensions. Read it when it is needed, not when a file is loaded. */
export function installedModules(): readonly ModuleManifest[] {
  if (!installed) throw new Error('No modules are installed. Call loadModules first.');
  return installed;
}

/** Every scope that a key can be configured with. */
export function keyScopes(): string[] {
  return [...GENERAL_SCOPES, ...installedModules().flatMap(scopesOfModule)];
}

/** The types of events that a webhook can subscribe to. */
export function eventTypes(): readonly EventType[] {
  return installedModules().flatMap(({ events = {} }) => Object.keys(events)) as EventType[];
}

/** Returns the area whose keys may read the data of these events; undefined for a type that no installed module declares. */
export function areaOfEvent(type: string): Area | undefined {
  return installedModules().find(({ events = {} }) => Object.hasOwn(events, type))?.area as Area | undefined;
}

export function tags(): readonly Tag[] {
  return installedModules().flatMap((manifest) => manifest.tags ?? []);
}

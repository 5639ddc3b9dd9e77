import type { ModuleManifest } from './module-manifest.js';

/** Returns the scopes that are limited to the module: `redirects:read`, `redirects:write`. */
export function scopesOfModule({ area, rights = ['read', 'write'] }: ModuleManifest): string[] {
  return area === undefined ? [] : rights.map((right) => `${area}:${right}`);
}

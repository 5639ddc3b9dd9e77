import type { AnyRoom } from './room.js';

/** Returns the scopes that are limited to the room: `redirects:read`, `redirects:write`. */
export function scopesOfRoom({ area, rights = ['read', 'write'] }: AnyRoom): string[] {
  return area === undefined ? [] : rights.map((right) => `${area}:${right}`);
}

import type { Config } from './config/config.js';
import { extensionNames } from './config/extensions.js';
import { loadConfig } from './config/load-config.js';
import { loadRooms } from './load-rooms.js';
import { keyScopes } from './rooms/installed.js';

/** Installs the rooms that the environment names, then reads the configuration, in which keys may have the scopes of these rooms. */
export async function configure(env?: Record<string, string | undefined>): Promise<Config> {
  await loadRooms(extensionNames(env));
  return loadConfig(env, keyScopes());
}

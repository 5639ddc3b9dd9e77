import type { Config } from './config/config.js';
import { extensionNames } from './config/extensions.js';
import { loadConfig, readSettings, type Settings } from './config/load-config.js';
import { loadModules } from './load-modules.js';
import { keyScopes } from './modules/installed-modules.js';

/** Installs the modules that the environment names, then reads the configuration, in which keys may have the scopes of these modules. */
export async function configure(env?: Record<string, string | undefined>): Promise<Config> {
  await loadModules(extensionNames(env));
  return loadConfig(env, keyScopes());
}

/** Does the same, but writes no file: secrets that are not set are missing until `withSecrets` generates them. */
export async function readEnvironment(env?: Record<string, string | undefined>): Promise<Settings> {
  await loadModules(extensionNames(env));
  return readSettings(env, keyScopes());
}

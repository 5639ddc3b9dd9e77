import { randomBytes } from 'node:crypto';
import { Config } from './config.js';
import { ensureDataDir, inDataDir } from './data-dir.js';
import { ConfigError, Environment } from './environment.js';
import { GENERAL_SCOPES } from './scopes.js';
import { storedSecret } from './stored-secret.js';
import { type TenantConfig, hashOf } from './tenants-config.js';
import { describeUnknown, unknownVariables } from './unknown-variables.js';
import {
  demoKeyFile,
  encryptionKeyFile,
  parseEncryptionKeys,
  readLogging,
  readVariables,
  type Variables,
} from './variables.js';

/** The tenant that a service without `TENANTS` has. */
export const DEMO_TENANT = 'ten_demo';

/** The validated environment, in which secrets that are not set are still missing. */
export type Settings = Variables & Pick<Config, 'unknownVariables'>;

/** Reads and validates the environment. A key can have one of `scopes`. Generates the secrets that are not set. */
export async function loadConfig(
  env: Record<string, string | undefined> = process.env,
  scopes: readonly string[] = GENERAL_SCOPES,
): Promise<Config> {
  return withSecrets(readSettings(env, scopes));
}

/** Reads and validates the environment, and writes no file. Throws a ConfigError that lists every problem. */
export function readSettings(
  env: Record<string, string | undefined> = process.env,
  scopes: readonly string[] = GENERAL_SCOPES,
): Settings {
  const environment = new Environment(env);
  const variables = readVariables(environment, scopes);
  const unknown = unknownVariables(env, environment.names);
  // A required variable may be missing because its name is misspelt.
  if (environment.problems.length > 0) environment.problems.push(...unknown.map(describeUnknown));
  environment.assertValid();
  return { ...variables, unknownVariables: unknown };
}

/** Returns the whole configuration. Creates `DATA_DIR`, and generates the secrets there that are not set. */
export async function withSecrets(settings: Settings): Promise<Config> {
  const { dataDir } = settings;
  await ensureDataDir(dataDir);
  const demo = settings.tenants
    ? undefined
    : Object.freeze({
        tenantId: DEMO_TENANT,
        key: await inDataDir(dataDir, storedSecret(demoKeyFile(dataDir), newKey)),
      });
  return Object.freeze(
    Object.assign(new Config(), settings, {
      demo,
      tenants: settings.tenants ?? [demoTenant(demo!.key)],
      encryptionKeys: settings.encryptionKeys ?? [await inDataDir(dataDir, generatedEncryptionKey(dataDir))],
    }),
  );
}

/** Reads `LOG_LEVEL` and `LOG_FORMAT`. An invalid value is replaced by the default here, and reported by `loadConfig`. */
export function loadLogging(env: Record<string, string | undefined> = process.env): ReturnType<typeof readLogging> {
  return readLogging(new Environment(env));
}

async function generatedEncryptionKey(dataDir: string): Promise<Buffer> {
  const stored = await storedSecret(encryptionKeyFile(dataDir), () => randomBytes(32).toString('base64'));
  const [key] = parseEncryptionKeys(stored) ?? [];
  if (!key)
    throw new ConfigError([
      'DATA_DIR contains a damaged encryption-key file. Restore the file, or set ENCRYPTION_KEY.',
    ]);
  return key;
}

function newKey(): string {
  return `tvt_${randomBytes(32).toString('base64url')}`;
}

function demoTenant(key: string): TenantConfig {
  return { id: DEMO_TENANT, name: 'Demo', apiKeys: [{ name: 'demo', hash: hashOf(key), scopes: ['*'] }] };
}

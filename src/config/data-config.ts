import { ConfigError, Environment } from './environment.js';
import { readExtensions } from './extensions.js';
import { readSecret } from './stored-secret.js';
import {
  encryptionKeyFile,
  parseEncryptionKeys,
  readDatabaseUrl,
  readDataDir,
  readEncryptionKeys,
  readS3,
} from './variables.js';

/** The location of the service's data. The commands backup, restore and reencrypt read nothing else from the environment. */
export interface DataConfig {
  /** `EXTENSIONS`, whose tables are part of the data. */
  readonly extensions: readonly string[];
  /** `DATA_DIR` as an absolute path. */
  readonly dataDir: string;
  /** `DATABASE_URL`; undefined: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl?: string;
  /** `S3_BUCKET` that media is stored in; undefined: a folder in `dataDir`. */
  readonly bucket?: string;
  /** `ENCRYPTION_KEY`; undefined when it is not set. */
  readonly encryptionKeys?: readonly Buffer[];
  /** The directory that the command was called from. npm changes it to that of the project. */
  readonly calledFrom: string;
}

/** Reads the variables like `loadConfig`, but generates nothing. Throws a ConfigError that lists every problem. */
export function loadDataConfig(env: Record<string, string | undefined> = process.env): DataConfig {
  const environment = new Environment(env);
  const config: DataConfig = {
    extensions: readExtensions(environment),
    dataDir: readDataDir(environment),
    databaseUrl: readDatabaseUrl(environment),
    bucket: readS3(environment)?.bucket,
    encryptionKeys: readEncryptionKeys(environment),
    calledFrom: environment.text('INIT_CWD') ?? process.cwd(),
  };
  environment.assertValid();
  return Object.freeze(config);
}

/** Returns the keys that the service uses: those of `ENCRYPTION_KEY`, or the generated one. Empty before a key has been generated. */
export async function currentEncryptionKeys({ dataDir, encryptionKeys }: DataConfig): Promise<readonly Buffer[]> {
  if (encryptionKeys) return encryptionKeys;
  const text = await readSecret(encryptionKeyFile(dataDir));
  if (text === undefined) return [];
  const keys = parseEncryptionKeys(text);
  if (!keys)
    throw new ConfigError([
      'DATA_DIR contains a damaged encryption-key file. Restore the file, or set ENCRYPTION_KEY.',
    ]);
  return keys;
}

import { resolve } from 'node:path';
import { BackupError } from './backup-error.js';

interface Arguments {
  /** An absolute path. */
  path: string;
  withoutKeys: boolean;
}

const WITHOUT_KEYS = '--without-keys';

/** Throws a BackupError with the usage unless exactly one file is given, and no option except `--without-keys`. */
export function readArguments(given: readonly string[], usage: string, directory: string): Arguments {
  const [path, ...more] = given.filter((argument) => argument !== WITHOUT_KEYS);
  if (path === undefined || more.length > 0 || path.startsWith('-') || path === '') throw new BackupError(usage);
  return { path: resolve(directory, path), withoutKeys: given.includes(WITHOUT_KEYS) };
}

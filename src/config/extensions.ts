import { Environment } from './environment.js';

/** The name of a folder, or of a package: `redirects`, `@acme/trivet-crm`. */
const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;

/** Reads `EXTENSIONS`. It is read before the other variables, because the scopes of keys depend on it. Throws a ConfigError. */
export function extensionNames(variables: Record<string, string | undefined> = process.env): string[] {
  const env = new Environment(variables);
  const names = readExtensions(env);
  env.assertValid();
  return names;
}

export function readExtensions(env: Environment): string[] {
  return env.parsed(
    'EXTENSIONS',
    [],
    'a comma-separated list of folders in extensions/ or of packages, each only once',
    (text) => {
      const names = text.split(',').map((name) => name.trim());
      return names.every((name) => NAME.test(name)) && new Set(names).size === names.length ? names : undefined;
    },
  );
}

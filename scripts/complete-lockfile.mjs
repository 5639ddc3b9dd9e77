/**
 * Adds to package-lock.json the optional packages for other platforms, which npm omits if the registry does not have them: `npm ci` rejects
 * a lockfile without them. Run it after every change of the dependencies: `node scripts/complete-lockfile.mjs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { packages } = lock;

for (const [path, parent] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (packages[key] || packages[`${path}/${key}`]) continue;
    const [, os, cpu] =
      /(darwin|win32|linux|android|freebsd|openharmony|wasm32)(?:musl)?-?(arm64|x64|ia32|arm|ppc64|s390x|loong64|riscv64|wasi)?/.exec(
        name,
      ) ?? [];
    const libc = /musl/.test(name) ? ['musl'] : /-gnu/.test(name) ? ['glibc'] : undefined;
    packages[key] = {
      version,
      ...(cpu && { cpu: [cpu] }),
      ...(parent.dev && { dev: true }),
      ...(libc && !/eabihf/.test(name) && { libc }),
      optional: true,
      ...(os && { os: [os] }),
    };
    console.log(`added ${name}@${version}`);
  }
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);

#!/bin/sh
# Builds the service if its build is missing or outdated. Prints nothing if there is nothing to do.
set -eu
cd "$(dirname "$0")/.."

# The build's marker file is dated at the start of the build, so that a change during the build counts as newer.
mark=dist/.built
[ -e "$mark" ] || mark=dist/src/main.js
if [ ! -e dist/src/main.js ] ||
  [ -n "$(find src extensions package-lock.json scripts/build.mjs scripts/compile.mjs ! -name '*spec.ts' -newer "$mark")" ]; then
  # To the standard error, because the standard output is the log of the service.
  echo 'Building ...' >&2
  touch node_modules/.build-began
  npm run --silent build >&2
  mv node_modules/.build-began dist/.built
fi

# A change of the guides alone needs no compiler.
if [ ! -e dist/guides/pages.json ] || [ -n "$(find docs scripts/guides scripts/guides.mjs -newer dist/guides/pages.json)" ]; then
  node scripts/guides.mjs
fi

# Before the console, which uses it.
if [ -e client/src/index.ts ] &&
  { [ ! -e client/dist/index.js ] ||
    [ -n "$(find client package-lock.json scripts/client scripts/cached-build.mjs ! -path '*/node_modules/*' ! -path 'client/dist*' -newer client/dist/index.js)" ]; }; then
  node scripts/client/build.mjs
fi

# After the client, which it holds.
if [ -e cli/src/trivet.ts ] &&
  { [ ! -e cli/dist/trivet.js ] ||
    [ -n "$(find cli client/src package-lock.json scripts/cli scripts/cached-build.mjs ! -path '*/node_modules/*' ! -path 'cli/dist*' -newer cli/dist/trivet.js)" ]; }; then
  node scripts/cli/build.mjs
fi

# The console is built again only if something of it changed: a build of the same sources is kept in the cache.
if [ -e console/index.html ] &&
  { [ ! -e dist/console/index.html ] ||
    [ -n "$(find console package-lock.json scripts/console scripts/console.mjs scripts/cached-build.mjs ! -path '*/node_modules/*' -newer dist/console/index.html)" ]; }; then
  node scripts/console.mjs
fi

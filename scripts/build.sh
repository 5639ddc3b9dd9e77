#!/bin/sh
# Builds what is missing or out of date. Says nothing when there is nothing to do.
set -eu
cd "$(dirname "$0")/.."

# The mark of the last build is as old as its beginning, so that a change made meanwhile counts as newer.
mark=dist/.built
[ -e "$mark" ] || mark=dist/main.js
if [ ! -e dist/main.js ] ||
  [ -n "$(find src package-lock.json tsconfig.json tsconfig.build.json nest-cli.json ! -name '*.spec.ts' -newer "$mark")" ]; then
  echo 'Building ...'
  touch node_modules/.build-began
  npm run --silent build
  mv node_modules/.build-began dist/.built
fi

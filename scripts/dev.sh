#!/bin/sh
# Installs what is missing, then runs the service from the sources, and again after each change. See dev.mjs.
set -eu
cd "$(dirname "$0")/.."

sh scripts/setup.sh
node scripts/guides.mjs
node scripts/client/build.mjs
node scripts/console.mjs
exec node scripts/dev.mjs

#!/bin/sh
# Installs and builds what is missing or outdated, then runs the service in place of this script.
set -eu
cd "$(dirname "$0")/.."

sh scripts/setup.sh
sh scripts/build.sh

# With exec, signals reach the service itself, and the caller sees its exit code.
if [ -f .env ]; then
  exec node --env-file=.env dist/src/main.js "$@"
fi
exec node dist/src/main.js "$@"

#!/bin/sh
# Installs and builds what is missing or out of date, then becomes the service.
set -eu
cd "$(dirname "$0")/.."

sh scripts/setup.sh
sh scripts/build.sh

# exec: signals reach the service itself, and its exit code is the one that the caller sees.
if [ -f .env ]; then
  exec node --env-file=.env dist/main.js "$@"
fi
exec node dist/main.js "$@"

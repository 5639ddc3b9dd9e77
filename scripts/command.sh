#!/bin/sh
# Becomes a command that works beside the service: command.sh PROGRAM [ARGUMENT ...]
set -eu

# Paths among the arguments start where the caller is. npm sets the same variable.
INIT_CWD=${INIT_CWD:-$PWD}
export INIT_CWD
cd "$(dirname "$0")/.."

program=$1
shift

# What has been built is used even when it is older than the source: installing and building replace files that a running service
# and its PostgreSQL still read.
if [ ! -e "dist/$program.js" ]; then
  sh scripts/setup.sh
  sh scripts/build.sh
fi

# The same environment as that of the service: see start.sh.
if [ -f .env ]; then
  exec node --env-file=.env "dist/$program.js" "$@"
fi
exec node "dist/$program.js" "$@"

#!/bin/sh
# Runs a command of the service in place of this script: command.sh PROGRAM [ARGUMENT ...]
set -eu

# Relative paths in the arguments start at the caller's directory. npm sets the same variable.
INIT_CWD=${INIT_CWD:-$PWD}
export INIT_CWD
cd "$(dirname "$0")/.."

program=$1
shift

# An existing build is used even if it is outdated: installing and building would replace files that a running service and its PostgreSQL
# still read.
if [ ! -e "dist/src/$program.js" ]; then
  sh scripts/setup.sh
  sh scripts/build.sh
fi

# The same environment as for the service: see start.sh.
if [ -f .env ]; then
  exec node --env-file=.env "dist/src/$program.js" "$@"
fi
exec node "dist/src/$program.js" "$@"

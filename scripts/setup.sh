#!/bin/sh
# Installs the packages in package-lock.json unless they are installed. Prints nothing if there is nothing to do.
set -eu
cd "$(dirname "$0")/.."

if ! command -v node >/dev/null; then
  echo 'Trivet needs Node.js 20.19 or later: https://nodejs.org' >&2
  exit 1
fi

# Exits with 0 if everything is installed, 2 if Node is too old, 3 if a package is missing or has another version.
check='
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) process.exit(2);
  const packages = (file) => { try { return require(file).packages; } catch (error) { return {}; } };
  const installed = packages("./node_modules/.package-lock.json");
  const isThere = ([path, wanted]) => {
    const found = installed[path];
    // Of the optional packages npm leaves out those of other platforms.
    return found ? found.version === wanted.version && found.integrity === wanted.integrity : !path || wanted.optional;
  };
  if (!Object.entries(packages("./package-lock.json")).every(isThere)) process.exit(3);
'
status=0
node -e "$check" || status=$?

case $status in
  0) ;;
  2)
    echo "Trivet needs Node.js 20.19 or later, and this is $(node --version): https://nodejs.org" >&2
    exit 1
    ;;
  3)
    # To the standard error, because the standard output is the log of the service.
    echo 'Installing packages, once ...' >&2
    # The build needs the development packages, which npm would omit with NODE_ENV=production.
    npm ci --include=dev --no-audit --no-fund --loglevel=error >&2
    ;;
  *) exit "$status" ;;
esac

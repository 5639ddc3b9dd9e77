#!/bin/sh
# Checks openapi.json, or the document that is given, with Redocly's recommended rules and with spectral:oas: `npm run lint:openapi`. An error or a
# warning fails.
# Installs the linters first if they are missing or outdated, in scripts/openapi-lint. Afterwards no network is needed.
set -eu
document=$(realpath "${1:-$(dirname "$0")/../openapi.json}")
cd "$(dirname "$0")/openapi-lint"

if ! cmp -s package-lock.json node_modules/.installed-lock.json; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  cp package-lock.json node_modules/.installed-lock.json
fi

# As a service with an address serves it: links to its guides begin with the address.
served=$(mktemp -d)
trap 'rm -rf "$served"' EXIT
sed 's#"url": "/guides/#"url": "https://cms.example.com/guides/#' "$document" > "$served/openapi.json"

# Redocly exits with 0 if there are only warnings, so its report is read.
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
report=$(node_modules/.bin/redocly lint --config redocly.yaml --format json "$served/openapi.json" 2>/dev/null) || true
printf '%s' "$report" | node -e '
  const { totals, problems } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  for (const { ruleId, severity, message, location } of problems)
    console.error(`${severity} ${ruleId}: ${message} (${location?.[0]?.pointer ?? ""})`);
  console.log(`Redocly: ${totals.errors} errors, ${totals.warnings} warnings.`);
  process.exitCode = totals.errors + totals.warnings + totals.ignored > 0 ? 1 : 0;
'
node_modules/.bin/spectral lint --ruleset spectral.yaml --fail-severity warn "$served/openapi.json"

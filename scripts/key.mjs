// Creates an API key. The client gets the key; TENANTS contains only its hash, which cannot be turned back into the key.
import { createHash, randomBytes } from 'node:crypto';

const USAGE =
  'Usage: npm run key\n\nPrints a new API key and its hash for TENANTS. It stores nothing, and takes no arguments.';
const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  const asksForHelp = argument === '--help' || argument === '-h';
  if (asksForHelp) console.log(USAGE);
  else console.error(`Unknown argument: ${argument}\n\n${USAGE}`);
  process.exit(asksForHelp ? 0 : 1);
}

const key = `tvt_${randomBytes(32).toString('base64url')}`;
const hash = `sha256:${createHash('sha256').update(key).digest('hex')}`;

console.log(`API key   ${key}
Hash      ${hash}

Keep the key where the caller keeps its secrets: it is shown only now. Put the hash into TENANTS (or the file that
TENANTS_FILE names), in "api_keys" of the tenant, and start the service again:

  {"name": "ci", "key": "${hash}", "scopes": ["*"]}

A whole tenant:

  TENANTS='[{"id": "ten_acme", "name": "Acme", "api_keys": [{"name": "ci", "key": "${hash}"}]}]'

To replace a key without an outage, list the old one beside the new one until every caller has changed.`);

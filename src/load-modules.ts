import { audit } from './audit/audit.manifest.js';
import { ConfigError } from './config/environment.js';
import { content } from './content/content.manifest.js';
import { contract } from './contract/contract.manifest.js';
import { people } from './people/people.manifest.js';
import { scheduledJobs } from './scheduled-jobs/scheduled-jobs.manifest.js';
import { events } from './events/events.manifest.js';
import { forms } from './forms/forms.manifest.js';
import { idempotency } from './idempotency/idempotency.manifest.js';
import { loadExtension } from './load-extension.js';
import { keys } from './keys/keys.manifest.js';
import { mcp } from './mcp/mcp.manifest.js';
import { mail } from './mail/mail.manifest.js';
import { media } from './media/media.manifest.js';
import { installModules } from './modules/installed-modules.js';
import type { ModuleManifest } from './modules/module-manifest.js';
import { tenants } from './tenants/tenants.manifest.js';
import { usage } from './usage/usage.manifest.js';
import { tenantSchema } from './tenant-schema/tenant-schema.manifest.js';
import { webhooks } from './webhooks/webhooks.manifest.js';

/** Trivet's own modules, in the order of the API's document. */
const OWN: readonly ModuleManifest[] = [
  tenants,
  content,
  forms,
  contract,
  media,
  webhooks,
  tenantSchema,
  events,
  keys,
  people,
  audit,
  usage,
  mail,
  scheduledJobs,
  idempotency,
  mcp,
];

/** Installs the modules of this process: Trivet's own and those of the extensions. Throws a ConfigError. */
export async function loadModules(extensions: readonly string[] = []): Promise<void> {
  const added: ModuleManifest[] = [];
  for (const name of extensions) added.push(await loadExtension(name));
  try {
    installModules([...OWN, ...added]);
  } catch (error) {
    throw new ConfigError([`EXTENSIONS: ${(error as Error).message}`]);
  }
}

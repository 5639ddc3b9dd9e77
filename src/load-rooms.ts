import { audit } from './audit/audit.room.js';
import { ConfigError } from './config/environment.js';
import { content } from './content/content.room.js';
import { due } from './due/due.room.js';
import { events } from './events/events.room.js';
import { forms } from './forms/forms.room.js';
import { idempotency } from './idempotency/idempotency.room.js';
import { loadExtension } from './load-extension.js';
import { keys } from './keys/keys.room.js';
import { mail } from './mail/mail.room.js';
import { media } from './media/media.room.js';
import { installRooms } from './rooms/installed.js';
import type { AnyRoom } from './rooms/room.js';
import { tenants } from './tenants/tenants.room.js';
import { usage } from './usage/usage.room.js';
import { webhooks } from './webhooks/webhooks.room.js';

/** Trivet's own rooms, in the order of the API's document. */
const OWN: readonly AnyRoom[] = [
  tenants,
  content,
  forms,
  media,
  webhooks,
  events,
  keys,
  audit,
  usage,
  mail,
  due,
  idempotency,
];

/** Installs the rooms of this process: Trivet's own and those of the extensions. Throws a ConfigError. */
export async function loadRooms(extensions: readonly string[] = []): Promise<void> {
  const added: AnyRoom[] = [];
  for (const name of extensions) added.push(await loadExtension(name));
  try {
    installRooms([...OWN, ...added]);
  } catch (error) {
    throw new ConfigError([`EXTENSIONS: ${(error as Error).message}`]);
  }
}

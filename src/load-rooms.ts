import { content } from './content/content.room.js';
import { events } from './events/events.room.js';
import { forms } from './forms/forms.room.js';
import { mail } from './mail/mail.room.js';
import { media } from './media/media.room.js';
import { installRooms } from './rooms/installed.js';
import type { AnyRoom } from './rooms/room.js';
import { tenants } from './tenants/tenants.room.js';
import { webhooks } from './webhooks/webhooks.room.js';

/** Trivet's own rooms, in the order of the API's document. */
const OWN: readonly AnyRoom[] = [tenants, content, forms, media, webhooks, events, mail];

/** Installs the rooms of this process. */
export async function loadRooms(): Promise<void> {
  installRooms(OWN);
  return Promise.resolve();
}

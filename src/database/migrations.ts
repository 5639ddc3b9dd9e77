import { Initial1763000000000 } from './migrations/1763000000000-initial.js';
import { Deliveries1763000001000 } from './migrations/1763000001000-deliveries.js';
import { Media1763000002000 } from './migrations/1763000002000-media.js';
import { Mails1763000003000 } from './migrations/1763000003000-mails.js';
import { MediaVariants1763000010000 } from './migrations/1763000010000-media-variants.js';
import { EventPositions1763000012000 } from './migrations/1763000012000-event-positions.js';
import { MailDigests1763000013000 } from './migrations/1763000013000-mail-digests.js';
import { JsonSizes1763000015000 } from './migrations/1763000015000-json-sizes.js';
import { PlainNames1763000020000 } from './migrations/1763000020000-plain-names.js';
import { Subscribers1763000021000 } from './migrations/1763000021000-subscribers.js';

/** The migrations, in the order in which they run. */
export const migrations = [
  Initial1763000000000,
  Deliveries1763000001000,
  Media1763000002000,
  Mails1763000003000,
  MediaVariants1763000010000,
  EventPositions1763000012000,
  MailDigests1763000013000,
  JsonSizes1763000015000,
  PlainNames1763000020000,
  Subscribers1763000021000,
];

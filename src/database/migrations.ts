import { Initial1763000000000 } from './migrations/1763000000000-initial.js';
import { Deliveries1763000001000 } from './migrations/1763000001000-deliveries.js';
import { Media1763000002000 } from './migrations/1763000002000-media.js';
import { Mails1763000003000 } from './migrations/1763000003000-mails.js';

/** In the order they run. */
export const migrations = [Initial1763000000000, Deliveries1763000001000, Media1763000002000, Mails1763000003000];

import { Initial1763000000000 } from '../database/migrations/1763000000000-initial.js';
import { JsonSizes1763000015000 } from '../database/migrations/1763000015000-json-sizes.js';
import { PlainNames1763000020000 } from '../database/migrations/1763000020000-plain-names.js';
import { PublicUrls1763000162000 } from './migrations/1763000162000-public-urls.js';
import { Tenant } from './tenant.entity.js';

export const entities = [Tenant];

/** The first three are older than the division into rooms: they create and change the tables of several rooms. */
export const migrations = [
  Initial1763000000000,
  JsonSizes1763000015000,
  PlainNames1763000020000,
  PublicUrls1763000162000,
];

import { StoredResponse } from './stored-response.entity.js';
import { Idempotency1763000010000 } from './migrations/1763000010000-idempotency.js';

export const entities = [StoredResponse];

export const migrations = [Idempotency1763000010000];

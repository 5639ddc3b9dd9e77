import { AccessVersion, ApiKey, KeyUse } from './api-key.entity.js';
import { Keys1763000007000 } from './migrations/1763000007000-keys.js';

export const entities = [AccessVersion, ApiKey, KeyUse];

export const migrations = [Keys1763000007000];

import { ApiKey, KeyUse, KeyVersion } from './api-key.entity.js';
import { ApiKeys1763000133000 } from './migrations/1763000133000-api-keys.js';

export const entities = [ApiKey, KeyUse, KeyVersion];

export const migrations = [ApiKeys1763000133000];

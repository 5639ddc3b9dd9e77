import { KeptAnswer } from './kept-answer.entity.js';
import { Idempotency1763000010000 } from './migrations/1763000010000-idempotency.js';

export const entities = [KeptAnswer];

export const migrations = [Idempotency1763000010000];

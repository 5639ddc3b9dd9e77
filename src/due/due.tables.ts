import { DueWorkRow } from './due-work.entity.js';
import { DueWork1763000009000 } from './migrations/1763000009000-due-work.js';

export const entities = [DueWorkRow];

export const migrations = [DueWork1763000009000];

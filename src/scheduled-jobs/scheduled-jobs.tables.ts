import { ScheduledJobRow } from './scheduled-jobs.entity.js';
import { ScheduledJobs1763000009000 } from './migrations/1763000009000-scheduled-jobs.js';

export const entities = [ScheduledJobRow];

export const migrations = [ScheduledJobs1763000009000];

/** The kind of scheduled jobs that schedules are. Its keys are the IDs of entries. */
export const SCHEDULE = 'schedule';

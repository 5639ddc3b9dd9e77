/** The kind of due work that schedules are. Its keys are the IDs of entries. */
export const SCHEDULE = 'schedule';

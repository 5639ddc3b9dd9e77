/** The kind of scheduled jobs that changes of large content types are. Its keys are the IDs of changes. */
export const SCHEMA_CHANGE = 'schema_change';

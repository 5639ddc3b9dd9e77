/** The scopes for the whole API: everything, every GET, and every other method. */
export const GENERAL_SCOPES = ['*', 'read', 'write'] as const;

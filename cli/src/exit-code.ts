/** What the command ends with. Scripts rely on these numbers. */
export const ExitCode = { done: 0, failed: 1, wouldBreak: 2, usage: 3 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The command was called in a way that cannot work: an option is missing or wrong, or a file is not what was promised. */
export class UsageError extends Error {}

/** The name of a person: one line that can be seen. */
export const PERSON_NAME = /^[^\p{Cc}\u2028\u2029]{1,255}$/u;

/** Longer than any password. The policy says more. */
export const MAX_PASSWORD = 1_024;

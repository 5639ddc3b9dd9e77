/** Something that was read before has changed since, so what follows from it is not true: read again. */
export class StaleReadError extends Error {}

/**
 * Receives from every user of Redis in this process (a queue, the rate limits) when it cannot use Redis and when it can again. May be
 * called at each attempt.
 */
export abstract class RedisOutage {
  abstract begin(user: string, error: Error | undefined): void;
  abstract end(user: string): void;
}

/** Returns the code of an error of a connection, which has no message if the host has several addresses. */
export function outageReason(error: (Error & { code?: string }) | undefined): string {
  return error?.code ?? (error?.message || 'the connection was closed');
}

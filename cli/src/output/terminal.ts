import type { Readable, Writable } from 'node:stream';

/** A stream that may be a terminal. */
export type MaybeTerminal<S> = S & { readonly isTTY?: boolean; readonly columns?: number };

/** Where the command line reads and writes, and its environment. */
export interface Terminal {
  readonly stdin: MaybeTerminal<Readable>;
  readonly stdout: MaybeTerminal<Writable>;
  readonly stderr: MaybeTerminal<Writable>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

import type { RunLimits } from './work-run.js';

/** A row that only this worker may process, until its claim expires. */
export interface ClaimedItem {
  id: string;
  /** The latest time to begin, by the clock of the process. After it, the claim could expire during the attempt. */
  startBy: number;
}

/** A row that only this worker may process, until `claimedUntil`. */
export interface WorkItem extends ClaimedItem {
  /** Identifies the claim. */
  claimedUntil: string;
  /** Number of attempts before this one. */
  attempts: number;
}

/** A group of rows that are claimed together, and the result of an attempt at one of them. */
export interface Settled<Item, Result> {
  group: string;
  item: Item;
  result: Result;
}

/** Where a worker finds its work, and how it is done. The rows of a group, those of a webhook or of a tenant, share a limit. */
export interface WorkSource<Item extends ClaimedItem, Result> {
  /** Returns the groups of the tenant that have due rows. */
  groups(tenantId: string): Promise<readonly string[]>;
  /** Returns the limits of a group, if they differ from those of the others. Called after `groups`. */
  limitsOf?(group: string): RunLimits | undefined;
  /** Claims at most `count` due rows. */
  claim(tenantId: string, group: string, count: number): Promise<Item[]>;
  /** Returns undefined if the attempt was given up, so that the row is released. Must not reject. */
  attempt(tenantId: string, group: string, item: Item, signal: AbortSignal): Promise<Result | undefined>;
  /** Whether the other claimed rows of the group must not be attempted any more. */
  endsGroup?(result: Result): boolean;
  /** Releases claims that were not used. If it rejects, the claims expire by themselves. */
  release(tenantId: string, items: readonly Item[]): Promise<void>;
  /** Stores the results. It is called again after an error. */
  store(tenantId: string, results: readonly Settled<Item, Result>[]): Promise<void>;
}

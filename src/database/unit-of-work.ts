import { AsyncLocalStorage } from 'node:async_hooks';
import type { Inserted, Transaction } from './transaction.js';

/** A transaction that has begun, on a connection of its own. */
export interface OpenTransaction {
  readonly transaction: Transaction;
  readonly inserted: Inserted;
  /** Ends the transaction and releases the connection. */
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

interface Context {
  readonly unit: UnitOfWork;
  /** Set within a write: its statements run directly. */
  readonly transaction?: Transaction;
}

const contexts = new AsyncLocalStorage<Context | undefined>();
/** Until Node 24, a store makes every promise of the process slower, so it is turned off while no request needs it. */
let running = 0;

/** Returns the unit of work of the tenant that the calling code is part of; undefined for most code. */
export function currentUnitOfWork(tenantId: string): UnitOfWork | undefined {
  if (running === 0) return undefined;
  const unit = contexts.getStore()?.unit;
  return unit?.tenantId === tenantId && !unit.hasEnded ? unit : undefined;
}

/**
 * Calls `effect` when the writes of the calling code are committed, and never if they are rolled back: at once, unless the code is part of a
 * unit of work. For whatever must not happen without the change: wake-ups, caches, the removal of files.
 */
export function afterCommit(effect: () => void | Promise<void>): void | Promise<void> {
  const unit = running > 0 ? contexts.getStore()?.unit : undefined;
  return unit && !unit.hasEnded ? unit.afterwards(effect) : effect();
}

/** Runs work that other requests share. It is not a part of the calling request's unit of work. */
export function outsideUnitOfWork<Result>(work: () => Result): Result {
  return running > 0 ? contexts.run(undefined, work) : work();
}

/**
 * Lets all writes of a request commit together. The code that makes them does not notice: a write that fails leaves no trace, and later
 * reads see earlier writes. The transaction begins with the first write. Until then no connection is held, so that a request can wait
 * (for turns, for locks, for other services) before it writes.
 */
export class UnitOfWork {
  private open?: OpenTransaction;
  private readonly effects: (() => void | Promise<void>)[] = [];
  private last: Promise<unknown> = Promise.resolve();
  hasEnded = false;

  constructor(
    readonly tenantId: string,
    private readonly begin: () => Promise<OpenTransaction>,
    /** The first statements of the transaction. If it throws, so does the write. */
    private readonly enter: (transaction: Transaction) => Promise<void>,
  ) {}

  /** Runs work whose writes become part of this unit, on whatever path they reach the database. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    running++;
    try {
      return await contexts.run({ unit: this }, work);
    } finally {
      if (--running === 0) contexts.disable();
    }
  }

  /**
   * Runs work in the transaction. A write that throws is undone; writes that are started together run one after the other. A read before the
   * first write needs no transaction: then returns undefined.
   */
  join<Result>(
    kind: 'read' | 'write',
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> | undefined {
    return kind === 'write' ? this.write(work) : this.open && work(this.open.transaction);
  }

  private write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const { unit, transaction } = contexts.getStore() ?? {};
    if (unit === this && transaction) return work(transaction);
    const result = this.last.then(() => this.undoable(() => this.writeNow(work)));
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Runs an attempt, which may write. If it returns undefined or throws, it is undone, and holds neither locks nor a connection. */
  async attempt<Result>(work: () => Promise<Result | undefined>): Promise<Result | undefined> {
    if (contexts.getStore()?.transaction) return work();
    const lost = new Error('The attempt was lost.');
    try {
      return await this.undoable(async () => {
        const result = await work();
        if (result === undefined) throw lost;
        return result;
      });
    } catch (error) {
      if (error === lost) return undefined;
      throw error;
    }
  }

  afterwards(effect: () => void | Promise<void>): void {
    this.effects.push(effect);
  }

  /** Commits, and then calls what was to be done afterwards. `last` makes the last write. */
  async end(last: (transaction: Transaction) => Promise<void>): Promise<Inserted> {
    await this.write(last);
    const open = this.taken();
    this.hasEnded = true;
    await open.commit();
    for (const effect of this.effects) await outsideUnitOfWork(effect);
    return open.inserted;
  }

  /** Undoes everything. Does nothing if the unit has ended. */
  async abandon(): Promise<void> {
    if (this.hasEnded) return;
    // A write may still be in progress if another one that was started together with it has failed.
    await this.last;
    this.hasEnded = true;
    if (this.open) await this.taken().rollBack();
  }

  private async writeNow<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    if (!this.open) {
      this.open = await this.begin();
      await this.enter(this.open.transaction);
    }
    const { transaction } = this.open;
    return contexts.run({ unit: this, transaction }, () => work(transaction));
  }

  /** Undoes what `work` did if it throws: all of it belongs to a savepoint, or to the transaction that it began. */
  private async undoable<Result>(work: () => Promise<Result>): Promise<Result> {
    const { open, effects } = this;
    const earlier = effects.length;
    try {
      return await (open ? open.transaction.manager.transaction(work) : work());
    } catch (error) {
      effects.length = earlier;
      if (!open && this.open) await this.taken().rollBack();
      throw error;
    }
  }

  private taken(): OpenTransaction {
    const { open } = this;
    if (!open) throw new Error('No transaction has begun.');
    this.open = undefined;
    return open;
  }
}

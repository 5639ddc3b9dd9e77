import type { EntryFields } from '../../../api/entry';
import { nameIn, valueAt, withValue } from './paths';

/** What is wrong with a value. */
export interface Fault {
  /** The value's path: `sections.2.title`. */
  readonly path: string;
  /** Beside the field. */
  readonly message: string;
  /** Where only a few words fit: `Title is too long`. */
  readonly summary: string;
}

/**
 * The values of a form, each of which can be watched by itself: a keystroke concerns one field, whatever else the form holds. Values are
 * replaced and never changed, so that what did not change is the same object as before.
 */
export class FormStore {
  private current: EntryFields;
  private faults: ReadonlyMap<string, Fault> = new Map();
  /** By the name of the outermost field. */
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly watchers = new Set<() => void>();
  private readonly observers = new Set<() => void>();

  constructor(values: EntryFields) {
    this.current = values;
  }

  get values(): EntryFields {
    return this.current;
  }

  at(path: string): unknown {
    return valueAt(this.current, path);
  }

  get allFaults(): readonly Fault[] {
    return [...this.faults.values()];
  }

  faultAt(path: string): Fault | undefined {
    return this.faults.get(path);
  }

  /** Sets a value that the person changed. Undefined removes it. */
  set(path: string, value: unknown): void {
    if (this.at(path) === value) return;
    this.current = withValue(this.current, path, value);
    this.forgetFaults(path);
    this.notify(nameIn(path));
    for (const listener of [...this.watchers, ...this.observers]) listener();
  }

  /** Shows other values, which nobody typed here. */
  replace(values: EntryFields): void {
    const before = this.current;
    this.current = values;
    for (const name of this.listeners.keys()) if (before[name] !== values[name]) this.notify(name);
    for (const observer of this.observers) observer();
  }

  showFaults(faults: readonly Fault[]): void {
    const before = this.faults;
    this.faults = new Map(faults.map((fault) => [fault.path, fault]));
    const names = [...before.keys(), ...this.faults.keys()].map(nameIn);
    for (const name of new Set(names)) this.notify(name);
  }

  /** Calls back after each change of the field that the path leads into. Returns what ends it. */
  subscribe(path: string, listener: () => void): () => void {
    const name = nameIn(path);
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Calls back after each change that the person made. */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Calls back after each change, whoever made it. */
  observe(observer: () => void): () => void {
    this.observers.add(observer);
    return () => this.observers.delete(observer);
  }

  /** A value that changed is not known to be wrong any more, nor what it held. */
  private forgetFaults(path: string): void {
    if (this.faults.size === 0) return;
    const left = [...this.faults].filter(([at]) => at !== path && !at.startsWith(`${path}.`));
    if (left.length < this.faults.size) this.faults = new Map(left);
  }

  private notify(name: string): void {
    for (const listener of this.listeners.get(name) ?? []) listener();
  }
}

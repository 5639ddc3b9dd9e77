import type { EntryFields } from '../../../api/entry';
import { forget, load, ownKey, ownKeysBelow, store } from '../../../session/own-storage';
import type { Creation } from './remote-entry';
import { changesBetween, isRecord, patched, withUnreadables } from './values';

/** What was typed and not saved. */
interface KeptText {
  /** When it was typed last, RFC 3339. */
  readonly at: string;
  /** The changed fields as they were before. A field that had no value is absent. */
  readonly before: EntryFields;
  /** The changed fields as they were typed. Null: the value was removed. */
  readonly typed: EntryFields;
  /** A creation that was not answered. */
  readonly creation?: Creation;
}

interface FoundText extends KeptText {
  readonly key: string;
}

/** Texts have the key of the editor that wrote them: two tabs with the same entry do not overwrite each other's. */
const PLACE = 'unsaved text';

/** What this browser keeps of an entry until it is saved, for one person (or key) and tenant. */
export class KeptTexts {
  private names: readonly string[];

  constructor(
    private readonly who: string,
    private readonly tenantId: string,
    private readonly typeId: string,
    id: string,
    private readonly page: string,
    /** The language of the values, if it is not the default one. */
    private readonly locale?: string,
  ) {
    this.names = this.namesFor(id);
  }

  /** The newest text that another page left. */
  find(): FoundText | undefined {
    const keys = ownKeysBelow(this.who, this.tenantId, ...this.names).filter((key) => key !== this.key);
    const found = keys.flatMap((key) => {
      const text = readText(load(key));
      return text ? { ...text, key } : [];
    });
    return found.sort((one, other) => other.at.localeCompare(one.at))[0];
  }

  write(text: KeptText): void {
    store(this.key, text);
  }

  clear(): void {
    forget(this.key);
  }

  discard({ key }: FoundText): void {
    forget(key);
  }

  /** A new entry has its ID from now on. */
  moveTo(id: string): void {
    this.clear();
    this.names = this.namesFor(id);
  }

  /** In one name, because that of the default language must not be where the others begin. */
  private namesFor(id: string): readonly string[] {
    return [PLACE, this.typeId, this.locale === undefined ? id : `${id} ${this.locale}`];
  }

  private get key(): string {
    return ownKey(this.who, this.tenantId, ...this.names, this.page);
  }
}

function readText(stored: unknown): KeptText | undefined {
  if (!isRecord(stored)) return undefined;
  const { at, before, typed, creation } = stored;
  if (typeof at !== 'string' || !isRecord(before) || !isRecord(typed)) return undefined;
  return {
    at,
    before: withUnreadables(before) as EntryFields,
    typed: withUnreadables(typed) as EntryFields,
    ...(isCreation(creation) && { creation }),
  };
}

function isCreation(value: unknown): value is Creation {
  return isRecord(value) && typeof value['key'] === 'string' && isRecord(value['fields']);
}

/** The changes as they are kept; undefined if there is nothing to keep. */
export function textToKeep(
  saved: EntryFields,
  typed: EntryFields,
  creation: Creation | undefined,
): KeptText | undefined {
  const names = Object.keys(typed);
  if (names.length === 0) return undefined;
  const before = Object.fromEntries(names.flatMap((name) => (name in saved ? [[name, saved[name]]] : [])));
  return { at: new Date().toISOString(), before, typed, ...(creation && { creation }) };
}

/** All values as they were before a kept text, and with it; undefined if `saved` says the same. */
export function offeredText(
  saved: EntryFields,
  { before, typed }: KeptText,
): { readonly before: EntryFields; readonly typed: EntryFields } | undefined {
  const restored = patched(saved, typed);
  if (Object.keys(changesBetween(saved, restored)).length === 0) return undefined;
  const absent = Object.fromEntries(Object.keys(typed).map((name) => [name, undefined]));
  return { before: patched(saved, { ...absent, ...before }), typed: restored };
}

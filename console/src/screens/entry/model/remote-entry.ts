import type { Entry } from '../../../api/entries';
import {
  createEntry,
  type Draft,
  type EntryAddress,
  type EntryFields,
  type EntryPlace,
  foldDraft,
  getEntry,
  saveDraft,
  setStatus,
  type Versioned,
} from '../../../api/entry';
import { ApiProblem } from '../../../api/problem';
import { type LoadedEntry, loadEntry, tagWithDraft } from './load-entry';
import { randomKey } from './random-key';
import { isSameValue, patched } from './values';

/** An entry that is being created. Each try is the same, so that none creates a second entry. */
export interface Creation {
  readonly key: string;
  readonly fields: EntryFields;
  readonly status: Entry['status'];
}

export interface Folding {
  /** Whether values of the draft win over those that somebody else changed in the entry. */
  readonly force?: boolean;
  /** The languages that are published; undefined for all. */
  readonly locales?: readonly string[] | undefined;
}

/** An entry as the service holds it: what is live, and the draft. */
export class RemoteEntry {
  live: Versioned<Entry> | undefined;
  draft: Versioned<Draft> | undefined;
  creation: Creation | undefined;
  /** What was sent and may have been saved, although no answer came. */
  private unanswered: EntryFields[] = [];

  constructor(
    private readonly place: EntryPlace & { readonly seesDrafts: boolean },
    loaded?: LoadedEntry,
  ) {
    this.live = loaded?.live;
    this.draft = loaded?.draft;
  }

  get address(): EntryAddress {
    return { ...this.place, id: this.live?.data.id ?? '' };
  }

  /** The values with those of the draft on top. */
  get fields(): EntryFields {
    return this.draft?.data.fields ?? this.live?.data.fields ?? {};
  }

  /** The tag of a draft that is not known: there is none, as far as drafts are seen. */
  private get noTag(): null | undefined {
    return this.place.seesDrafts ? null : undefined;
  }

  /** Creates the entry with these values, or with those of an earlier try that was not answered. Returns those that were sent. */
  async create(fields: EntryFields, status: Entry['status']): Promise<EntryFields> {
    const creation = (this.creation ??= { key: randomKey(), fields, status });
    try {
      this.live = await createEntry(this.place, creation);
      this.creation = undefined;
      return creation.fields;
    } catch (error) {
      if (isRefused(error)) this.creation = undefined;
      throw error;
    }
  }

  async save(changes: EntryFields): Promise<void> {
    this.unanswered.push(changes);
    try {
      const saved = await saveDraft(this.address, changes, this.draft?.tag ?? this.noTag);
      // A key that may not read drafts is not told what it wrote.
      this.draft = { ...saved, data: { fields: patched(this.fields, changes), ...saved.data } };
      this.unanswered = [];
    } catch (error) {
      if (isRefused(error) && !isOvertaken(error)) this.unanswered = [];
      throw error;
    }
  }

  /** Folds the draft into the entry. Publishing makes the entry public, whether it has a draft or not: in these languages, or in all. */
  async fold(how: 'apply' | 'publish', { force = false, locales }: Folding = {}): Promise<void> {
    const { fields, draft, address, place } = this;
    if (draft || (how === 'publish' && locales)) {
      const folded = await foldDraft(address, how, { tag: draft?.tag, force, locales });
      const isInOther = locales !== undefined || place.locale !== undefined;
      this.live = isInOther ? { ...folded, data: { ...folded.data, fields } } : folded;
    } else if (how === 'publish') this.live = await setStatus(address, 'published');
    this.draft = undefined;
    // There may be a draft of other languages still. If it cannot be read now, the next change finds it.
    if (locales) await this.reload({}).catch(() => undefined);
  }

  /** What the entry and its draft have in another language. */
  async inLocale(locale: string): Promise<{ readonly live: EntryFields; readonly draft: EntryFields }> {
    const { live, draft } = await loadEntry({ ...this.address, locale }, this.place.seesDrafts);
    return { live: live.data.fields, draft: draft?.data.fields ?? live.data.fields };
  }

  /** Saves values of another language in the draft. */
  async saveIn(locale: string, changes: EntryFields): Promise<void> {
    const { tag } = await saveDraft({ ...this.address, locale }, changes, this.draft?.tag ?? this.noTag);
    this.draft = { data: this.draft?.data ?? { id: this.address.id, fields: this.fields }, tag };
  }

  async unpublish(): Promise<void> {
    this.live = await setStatus(this.address, 'draft');
  }

  /** Whether somebody else has changed the entry or its draft since they were read or saved here. */
  async hasMoved(): Promise<boolean> {
    const { live, draft, place } = this;
    if (!live) return false;
    const { tag } = await getEntry(this.address, { isPreview: place.seesDrafts });
    return tag !== tagWithDraft({ live, ...(draft && place.seesDrafts && { draft }) });
  }

  /** Reads the entry again. Returns the values that a person saw before, as far as the service was reached. */
  async reload(before: EntryFields): Promise<EntryFields> {
    const { live, draft } = await loadEntry(this.address, this.place.seesDrafts);
    this.live = live;
    this.draft = draft;
    // What was saved although no answer came is not what somebody else changed.
    const { fields } = this;
    const own = this.unanswered.flatMap((changes) =>
      Object.keys(changes).filter((name) => isSameValue(changes[name] ?? undefined, fields[name])),
    );
    this.unanswered = [];
    return { ...before, ...Object.fromEntries(own.map((name) => [name, fields[name]])) };
  }
}

/** Whether the service said no. Otherwise it may have done what it was asked. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && !mayPass(error);
}

/** Whether the same request may succeed later, by itself. */
export function mayPass(error: unknown): boolean {
  return (
    error instanceof ApiProblem && (error.status === 0 || [401, 408, 429].includes(error.status) || error.status >= 500)
  );
}

/** Whether somebody else was quicker. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 412;
}

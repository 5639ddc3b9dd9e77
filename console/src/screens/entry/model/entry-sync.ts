import type { ContentType } from '../../../api/content-types';
import type { Entry } from '../../../api/entries';
import { type EntryFields, getEntry } from '../../../api/entry';
import { ApiProblem } from '../../../api/problem';
import { faultsIn } from './faults';
import type { Fault, FormStore } from './form-store';
import { type Conflict, conflictKey, merge } from './merge';
import { type Folding, isOvertaken, type RemoteEntry } from './remote-entry';
import { changesBetween, isSameText, patched } from './values';

/** Values of the form that cannot be sent. */
export class InvalidValues extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super('A value is not valid.');
  }
}

/** The codes of the language whose values are edited, and of the default one. */
export interface EditedLanguage {
  readonly code: string;
  readonly standard: string;
}

interface SyncEvents {
  /** Before something is sent. */
  readonly onSending: () => void;
  /** After the service saved something, or was found to have saved something else. */
  readonly onKnown: () => void;
  readonly onCreated: (entry: Entry) => void;
  /** Lets the person choose. Returns the keys of the conflicts in which their values are chosen; throws if that is not decided now. */
  readonly decide: (conflicts: readonly Conflict[]) => Promise<ReadonlySet<string>>;
}

/** Brings what the form shows to the service, and what others saved there to the form. */
export class EntrySync {
  /** What the form showed when it was saved last. */
  saved: EntryFields;

  constructor(
    private readonly type: ContentType,
    /** The language of the form, and the default one; undefined where there is only one. */
    private readonly language: EditedLanguage | undefined,
    private readonly form: FormStore,
    private readonly remote: RemoteEntry,
    private readonly events: SyncEvents,
  ) {
    this.saved = form.values;
  }

  /** What is not saved, as a PATCH sends it. */
  get changes(): EntryFields {
    return changesBetween(this.saved, this.form.values);
  }

  /** Saves until nothing is left to save. */
  async write(): Promise<void> {
    while (await this.writeOnce());
  }

  /** Saves what is changed now. Returns false if nothing was. */
  async writeOnce(): Promise<boolean> {
    const { values } = this.form;
    const { changes } = this;
    if (Object.keys(changes).length === 0) return false;
    if (!this.remote.live) {
      await this.create('draft');
      return true;
    }
    this.assertValid(Object.keys(changes));
    this.events.onSending();
    try {
      await this.remote.save(changes);
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      await this.reconcile();
      return this.writeOnce();
    }
    this.adopt(values);
    this.events.onKnown();
    return true;
  }

  async create(status: Entry['status']): Promise<void> {
    const { values } = this.form;
    this.assertValid(Object.keys(values));
    this.events.onSending();
    this.adopt(await this.remote.create(patched({}, changesBetween({}, values)), status));
    if (this.remote.live) this.events.onCreated(this.remote.live.data);
    this.events.onKnown();
  }

  /** Makes the draft a part of the entry, which publishing makes public. */
  async fold(how: 'apply' | 'publish', folding: Folding = {}): Promise<void> {
    try {
      await this.remote.fold(how, folding);
    } catch (error) {
      if (isOvertaken(error)) await this.reconcile();
      else if (isChangedLive(error)) await this.decideOnLive(error);
      else throw error;
      await this.write();
      return this.fold(how, { ...folding, force: isChangedLive(error) });
    }
    this.adopt(this.saved);
  }

  /** Brings together what somebody else saved meanwhile and what was typed here. */
  async reconcile(): Promise<void> {
    const before = await this.remote.reload(this.saved);
    this.saved = this.remote.fields;
    this.events.onKnown();
    await this.mergeInto(before, this.form.values, this.saved);
  }

  /** Puts values into the form that were typed when it showed the values `before`. */
  async restore(before: EntryFields, typed: EntryFields): Promise<void> {
    await this.mergeInto(before, typed, this.form.values);
    await this.write();
  }

  /** Shows what the service holds, and nothing else. */
  reset(): void {
    this.form.replace(this.remote.fields);
    this.saved = this.form.values;
  }

  private async mergeInto(before: EntryFields, mine: EntryFields, theirs: EntryFields): Promise<void> {
    const { values, conflicts } = merge(before, mine, theirs);
    this.form.replace(values);
    if (conflicts.length > 0) await this.settle(conflicts);
  }

  /** Values of the draft were changed in the entry too. */
  private async decideOnLive({ errors }: ApiProblem): Promise<void> {
    const { data } = await getEntry(this.remote.address);
    const mine = this.form.values;
    const conflicts: Conflict[] = [];
    for (const { path } of errors) {
      const { name, locale } = this.placeOf(path);
      if (locale === undefined) conflicts.push({ name, mine: mine[name], theirs: data.fields[name] });
      else {
        const other = await this.remote.inLocale(locale);
        conflicts.push({ name, locale, mine: other.draft[name], theirs: other.live[name] });
      }
    }
    await this.settle(conflicts);
  }

  /** The field at a path such as `fields.title.de`, and its language, unless that is the one of the form. */
  private placeOf(path: string): Pick<Conflict, 'name' | 'locale'> {
    const [name = '', code] = path.replace(/^fields\./, '').split('.');
    const { language, type } = this;
    const isShared = type.fields.find((field) => field.name === name)?.localized !== true;
    const locale = code ?? language?.standard;
    return isShared || locale === undefined || locale === language?.code ? { name } : { name, locale };
  }

  /** The form shows what the person chose. Values of other languages are saved at once. */
  private async settle(conflicts: readonly Conflict[]): Promise<void> {
    const chosen = await this.events.decide(conflicts);
    const values: Record<string, unknown> = { ...this.form.values };
    for (const conflict of conflicts) {
      const { name, locale, theirs } = conflict;
      if (!chosen.has(conflictKey(conflict))) continue;
      if (locale === undefined) values[name] = theirs;
      else await this.remote.saveIn(locale, { [name]: theirs ?? null });
    }
    this.form.replace(patched({}, values));
  }

  /** Goes on from what the service made of the values that were sent. What was typed since stays. */
  private adopt(sent: EntryFields): void {
    const { fields } = this.remote;
    const current = this.form.values;
    const saved: Record<string, unknown> = {};
    const shown: Record<string, unknown> = {};
    for (const name of new Set([sent, fields, current].flatMap((each) => Object.keys(each)))) {
      const isAsSent = current[name] === sent[name] || isSameText(current[name], sent[name]);
      // The same object, where it says the same: fields that are not changed are not drawn again.
      saved[name] = isSameText(current[name], fields[name]) ? current[name] : fields[name];
      shown[name] = isAsSent ? saved[name] : current[name];
    }
    this.saved = patched({}, saved);
    this.form.replace(patched({}, shown));
  }

  private assertValid(names: readonly string[]): void {
    const faults = faultsIn(this.type.fields, this.form.values, names);
    if (faults.length > 0) throw new InvalidValues(faults);
  }
}

function isChangedLive(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.status === 409 && error.errors.length > 0;
}

import type { ContentType } from '../../../api/content-types';
import type { Entry } from '../../../api/entries';
import { deleteEntry, discardDraft } from '../../../api/entry';
import { setEntryLocale } from '../../../api/locales';
import { ApiProblem } from '../../../api/problem';
import { Autosave } from './autosave';
import type { EditorState, Offer, Saving } from './editor-state';
import { type EditedLanguage, EntrySync, InvalidValues } from './entry-sync';
import { faultsFrom, pathInForm } from './faults';
import { FormStore } from './form-store';
import { type KeptTexts, offeredText, textToKeep } from './kept-text';
import { noteLeaving } from './leaving';
import type { LoadedEntry } from './load-entry';
import type { Conflict } from './merge';
import { mayPass, RemoteEntry } from './remote-entry';

interface EditorLanguage extends EditedLanguage {
  /** The codes of all languages. */
  readonly codes: readonly string[];
}

interface EditorOptions {
  readonly tenantId: string;
  readonly type: ContentType;
  readonly seesDrafts: boolean;
  readonly isReadOnly: boolean;
  /** What is edited of an entry in several languages; undefined where there is one. */
  readonly language: EditorLanguage | undefined;
  readonly loaded: LoadedEntry | undefined;
  readonly kept: KeptTexts;
  /** After the entry was created. */
  readonly onCreated: (entry: Entry) => void;
  /** After the service saved something. */
  readonly onSaved: () => void;
  /** Whether the person may change the entry itself in all languages, as folding its whole draft into it does. */
  readonly mayFold: boolean;
}

/** Milliseconds after a change until the browser keeps it. */
const KEEP_AFTER = 300;

/** Somebody else changed the same, and the person has not decided yet. */
class Undecided extends Error {
  constructor() {
    super('Somebody else changed the entry too.');
  }
}

/**
 * The editing of one entry: what the form shows, what can be done, and how that went. What is asked of the service is asked one after the other, so
 * that nothing overtakes anything.
 */
export class EntryEditor {
  readonly form: FormStore;
  private readonly remote: RemoteEntry;
  private readonly sync: EntrySync;
  private readonly autosave = new Autosave(() => void this.save());
  private state: EditorState;
  private readonly listeners = new Set<() => void>();
  private queue: Promise<unknown> = Promise.resolve();
  private keeping: ReturnType<typeof setTimeout> | undefined;
  /** Whether something was changed on this page. */
  private isTouched = false;
  private isLeft = false;
  private isLooking = false;

  constructor(private readonly options: EditorOptions) {
    const { tenantId, type, seesDrafts, loaded, language } = options;
    const locale = language && language.code !== language.standard ? language.code : undefined;
    this.remote = new RemoteEntry({ tenantId, type: type.slug, locale, seesDrafts }, loaded);
    this.form = new FormStore(this.remote.fields);
    this.form.watch(() => this.noteChange());
    this.sync = new EntrySync(type, language, this.form, this.remote, {
      onSending: () => this.show({ saving: { is: 'saving' } }),
      onKnown: () => this.noteKnown(),
      onCreated: (entry) => this.noteCreated(entry),
      decide: (conflicts) => this.decide(conflicts),
    });
    this.state = { ...this.known(), saving: this.savedState() };
    this.offerKept();
  }

  get isReadOnly(): boolean {
    return this.options.isReadOnly;
  }

  /** What the service said last that the entry, or its draft, is; undefined without one. */
  tagOf(what: 'live' | 'draft'): string | undefined {
    return this.remote[what]?.tag;
  }

  /** Whether the entry is not there any more, because it was deleted on this page. */
  get isDeleted(): boolean {
    return this.remote.live === undefined && this.isLeft;
  }

  getState = (): EditorState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Saves what was changed in the draft. Resolves to whether it is saved. */
  save(): Promise<boolean> {
    return this.run(async () => void (await this.sync.writeOnce()));
  }

  /** Saves, and makes it the state of an entry that is not published. */
  store(): Promise<boolean> {
    return this.act(async () => {
      await this.sync.write();
      const isUnpublished = this.remote.live?.data.status === 'draft';
      if (isUnpublished && this.remote.draft && this.options.mayFold) await this.sync.fold('apply');
    });
  }

  /** Publishes these languages, or all. */
  publish(locales?: readonly string[]): Promise<boolean> {
    return this.act(async () => {
      if (!this.remote.live && !this.remote.creation) return this.sync.create('published');
      await this.sync.write();
      await this.sync.fold('publish', { locales });
    });
  }

  unpublish(): Promise<boolean> {
    return this.act(async () => {
      await this.sync.write();
      await this.remote.unpublish();
    });
  }

  /** Takes the language of the form off, so that readers do not see it, or brings it back. */
  setLive(isLive: boolean): Promise<boolean> {
    return this.act(async () => {
      await this.sync.write();
      await setEntryLocale(this.remote.address, this.options.language?.code ?? '', isLive);
      await this.sync.reconcile();
    });
  }

  /** Goes back to what the entry is without its draft, in the language of the form. What is given up can be restored until the page is left. */
  discard(): Promise<boolean> {
    return this.act(async () => {
      const typed = this.form.values;
      const { draft, live, address } = this.remote;
      if (draft) await discardDraft(address, draft.tag, this.options.language?.code);
      if (live) await this.remote.reload({});
      this.sync.reset();
      const before = this.form.values;
      this.offer({ why: 'discarded', at: new Date().toISOString() }, () => this.sync.restore(before, typed));
    });
  }

  async delete(): Promise<void> {
    this.autosave.stop();
    await this.queue;
    if (this.remote.live) await deleteEntry(this.remote.address);
    this.remote.live = undefined;
    clearTimeout(this.keeping);
    this.options.kept.clear();
    this.isLeft = true;
    this.options.onSaved();
  }

  /** Shows what the service holds now, with what was typed and is not saved. */
  refresh(): Promise<boolean> {
    return this.run(() => this.sync.reconcile());
  }

  /** Shows what somebody else saved while the person was away. Nobody asked for it, so a failure is not shown. */
  async lookAgain(): Promise<void> {
    if (!this.remote.live || this.isLeft || this.isLooking || this.state.question) return;
    this.isLooking = true;
    const looked = this.queue.then(() => this.remote.hasMoved()).catch(() => false);
    this.queue = looked;
    if ((await looked) && !this.isLeft) await this.refresh();
    this.isLooking = false;
  }

  /** Leads the person to a value, by its path as the service has it. */
  lead(path: string): void {
    const place = pathInForm(path, this.options.type.fields, this.form.values);
    if (place !== undefined) this.show({ led: { path: place } });
  }

  /** The page is left: what was changed is saved behind it. Otherwise the browser keeps it. */
  leave(): void {
    if (this.isLeft) return;
    this.isLeft = true;
    this.keep();
    this.state.question?.answer(undefined);
    this.autosave.stop();
    if (!this.isTouched) return;
    const { entry } = this.state;
    const stored = this.store().then(() => this.autosave.stop());
    if (entry) noteLeaving(entry.id, stored);
  }

  /** Saves at once, because the page may be gone soon. */
  hurry(): void {
    this.keep();
    if (this.autosave.isWaiting) this.autosave.now();
  }

  /** Does one thing after the other, and says how it went. */
  private run(work: () => Promise<void>): Promise<boolean> {
    const done = this.queue.then(async () => {
      this.autosave.stop();
      try {
        await work();
        this.autosave.succeeded();
        this.show({ ...this.known(), saving: this.savedState() });
        // What was typed meanwhile is not saved by everything that is done.
        if (this.state.saving.is === 'saving' && !this.autosave.isWaiting && !this.isLeft) this.autosave.changed();
        return true;
      } catch (error) {
        this.fail(error);
        return false;
      } finally {
        this.keep();
      }
    });
    this.queue = done;
    return done;
  }

  /** As `run`, for what the person asked for: they are led to what stands in its way. */
  private async act(work: () => Promise<void>): Promise<boolean> {
    const isDone = await this.run(async () => {
      this.show({ saving: { is: 'saving' }, problem: undefined });
      await work();
    });
    const [first] = this.form.allFaults;
    if (isDone) this.options.onSaved();
    else if (first) this.show({ led: { path: first.path } });
    return isDone;
  }

  private noteChange(): void {
    this.isTouched = true;
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), KEEP_AFTER);
    if (this.state.saving.is !== 'saving') this.show({ saving: { is: 'saving' } });
    if (!this.state.question) this.autosave.changed();
  }

  private noteKnown(): void {
    this.show(this.known());
    this.options.onSaved();
  }

  private noteCreated(entry: Entry): void {
    this.options.kept.moveTo(entry.id);
    this.show(this.known());
    if (!this.isLeft) this.options.onCreated(entry);
  }

  private async decide(conflicts: readonly Conflict[]): Promise<ReadonlySet<string>> {
    if (this.isLeft) throw new Undecided();
    const theirs = await new Promise<ReadonlySet<string> | undefined>((answer) =>
      this.show({ question: { conflicts, answer } }),
    );
    this.show({ question: undefined });
    if (!theirs) throw new Undecided();
    return theirs;
  }

  private fail(error: unknown): void {
    const faults = this.faultsOf(error);
    const [first] = faults;
    if (first) this.form.showFaults(faults);
    const message = error instanceof Error ? error.message : 'Something went wrong.';
    const saving: Saving = { is: 'failed', ...(first ? { summary: first.summary } : { message }) };
    const isProblem = !first && !mayPass(error) && !(error instanceof Undecided);
    this.show({ ...this.known(), saving, problem: isProblem ? error : undefined });
    if (mayPass(error)) this.autosave.failed();
  }

  private faultsOf(error: unknown) {
    if (error instanceof InvalidValues) return error.faults;
    if (!(error instanceof ApiProblem)) return [];
    const { type, language } = this.options;
    return faultsFrom(error, type.fields, this.form.values, language);
  }

  private known(): Pick<EditorState, 'entry' | 'draft'> {
    return { entry: this.remote.live?.data, draft: this.remote.draft?.data };
  }

  private savedState(): Saving {
    if (Object.keys(this.sync.changes).length > 0) return { is: 'saving' };
    return { is: this.remote.live ? 'saved' : 'untouched' };
  }

  /** Lets the browser keep what is not saved. */
  private keep(): void {
    clearTimeout(this.keeping);
    const { kept, isReadOnly } = this.options;
    const text = textToKeep(this.sync.saved, this.sync.changes, this.remote.creation);
    if (isReadOnly || !text) kept.clear();
    else kept.write(text);
  }

  private offerKept(): void {
    const { kept, isReadOnly } = this.options;
    const found = isReadOnly ? undefined : kept.find();
    if (!found) return;
    const text = offeredText(this.sync.saved, found);
    // It was saved, and only the answer was not seen.
    if (!text) return kept.discard(found);
    const restore = async () => {
      if (!this.remote.live) this.remote.creation = found.creation;
      this.isTouched = true;
      try {
        await this.sync.restore(text.before, text.typed);
      } finally {
        this.keep();
        kept.discard(found);
      }
    };
    this.offer({ why: 'kept', at: found.at }, restore, () => kept.discard(found));
  }

  private offer(about: Pick<Offer, 'why' | 'at'>, restore: () => Promise<void>, discard?: () => void): void {
    const end = () => this.show({ offer: undefined });
    const offer: Offer = {
      ...about,
      restore: () => {
        end();
        void this.run(restore);
      },
      discard: () => {
        end();
        discard?.();
      },
    };
    this.show({ offer });
  }

  private show(change: Partial<EditorState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

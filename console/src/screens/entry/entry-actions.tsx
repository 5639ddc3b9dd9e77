import { lazy, Suspense, useState } from 'react';
import type { ContentType } from '../../api/content-types';
import { Button } from '../../parts/button';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import styles from './entry-actions.module.css';
import { type EntryLanguage, useEntryLanguage } from './language/entry-language';
import { type EditorState, isUnsaved } from './model/editor-state';
import { MoreMenu } from './more-menu';
import { PreviewButton } from './preview/preview-button';
import { useEditor, useEditorState } from './use-editor';

/** What is asked before something is done is loaded then. */
const ReviewDialog = lazy(() => import('./review/review-dialog'));
const ScheduleDialog = lazy(() => import('./schedule/schedule-dialog'));

/** What can be done with the entry: what most people come for is last, where the eye ends. */
export function EntryActions({ type }: { type: ContentType }) {
  const tenant = useTenant();
  const editor = useEditor();
  const state = useEditorState(editor);
  const language = useEntryLanguage();
  const [asked, setAsked] = useState<'schedule' | 'review' | 'first'>();
  const [busy, setBusy] = useState<string>();
  const { entry } = state;
  const mayDraft = mayFor(tenant, 'content:draft', type) && !editor.isReadOnly;
  const mayWrite = mayFor(tenant, 'content:write', type) && !editor.isReadOnly;
  const isLive = entry?.status === 'published';
  // Those who may change some languages alone do not decide whether the entry is public.
  const mayPublish = mayWrite && (tenant.locales === undefined || (language !== undefined && isLive));
  const isChanged = hasChanges(state, language);
  const during = async (name: string, work: Promise<unknown>) => {
    setBusy(name);
    await work;
    setBusy(undefined);
  };
  const close = () => setAsked(undefined);
  /** What a dialog is about is saved before it opens. */
  const ask = async (dialog: 'schedule' | 'review' | 'first') => (await editor.save()) && setAsked(dialog);
  const publish = async () => {
    if (language && !language.isDefault && !isLive) return ask('first');
    return editor.publish(language && [language.code]);
  };
  return (
    <div className={styles.actions}>
      {entry && <MoreMenu type={type} entry={entry} />}
      {mayDraft && mayFor(tenant, 'content:read', type) && <PreviewButton type={type} entry={entry} />}
      {mayDraft && isChanged && <Button onClick={() => void editor.discard()}>Discard draft</Button>}
      {mayWrite && (tenant.locales === undefined || language) && entry && (
        <Button onClick={() => void ask('schedule')}>Schedule</Button>
      )}
      {mayDraft && (
        <Button isBusy={busy === 'save'} onClick={() => void during('save', editor.store())}>
          Save
        </Button>
      )}
      {mayDraft && entry && (
        <Button look={mayPublish ? 'secondary' : 'primary'} onClick={() => void ask('review')}>
          Ask for review
        </Button>
      )}
      {mayPublish && (
        <Button
          look="primary"
          isBusy={busy === 'publish'}
          disabled={isLive && !isChanged && !isOff(language)}
          onClick={() => void during('publish', publish())}
        >
          Publish
        </Button>
      )}
      <Suspense>
        {asked === 'schedule' && entry && <ScheduleDialog type={type} entry={entry} onClose={close} />}
        {asked === 'first' && language && <language.parts.FirstPublication onClose={close} />}
        {asked === 'review' && entry && <ReviewDialog type={type} entry={entry} onClose={close} />}
      </Suspense>
    </div>
  );
}

/** Whether something is written, in the language of the form, that is not a part of the entry yet. */
function hasChanges(state: EditorState, language: EntryLanguage | undefined): boolean {
  const hasDraft = language?.own ? language.own.draft : state.draft !== undefined;
  return hasDraft || isUnsaved(state);
}

/** Whether the language has values that readers do not see. */
function isOff(language: EntryLanguage | undefined): boolean {
  return language?.own !== undefined && !language.own.live && language.own.values > 0;
}

import { useState } from 'react';
import type { ContentType } from '../../api/content-types';
import { Button } from '../../parts/button';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import styles from './entry-actions.module.css';
import { type EditorState, isUnsaved } from './model/editor-state';
import { MoreMenu } from './more-menu';
import { PreviewButton } from './preview/preview-button';
import { ReviewDialog } from './review/review-dialog';
import { ScheduleDialog } from './schedule/schedule-dialog';
import { useEditor, useEditorState } from './use-editor';

/** What can be done with the entry: what most people come for is last, where the eye ends. */
export function EntryActions({ type }: { type: ContentType }) {
  const tenant = useTenant();
  const editor = useEditor();
  const state = useEditorState(editor);
  const [asked, setAsked] = useState<'schedule' | 'review'>();
  const [busy, setBusy] = useState<string>();
  const { entry } = state;
  const mayDraft = mayFor(tenant, 'content:draft', type);
  const mayPublish = mayFor(tenant, 'content:write', type);
  const during = async (name: string, work: Promise<unknown>) => {
    setBusy(name);
    await work;
    setBusy(undefined);
  };
  const close = () => setAsked(undefined);
  /** What a dialog is about is saved before it opens. */
  const ask = async (dialog: 'schedule' | 'review') => (await editor.save()) && setAsked(dialog);
  return (
    <div className={styles.actions}>
      {entry && <MoreMenu type={type} entry={entry} />}
      {mayDraft && mayFor(tenant, 'content:read', type) && <PreviewButton type={type} entry={entry} />}
      {mayDraft && hasChanges(state) && <Button onClick={() => void editor.discard()}>Discard draft</Button>}
      {mayPublish && entry && <Button onClick={() => void ask('schedule')}>Schedule</Button>}
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
          disabled={entry?.status === 'published' && !hasChanges(state)}
          onClick={() => void during('publish', editor.publish())}
        >
          Publish
        </Button>
      )}
      {asked === 'schedule' && entry && <ScheduleDialog type={type} entry={entry} onClose={close} />}
      {asked === 'review' && entry && <ReviewDialog type={type} entry={entry} onClose={close} />}
    </div>
  );
}

/** Whether something is written that is not a part of the entry yet. */
function hasChanges(state: EditorState): boolean {
  return state.draft !== undefined || isUnsaved(state);
}

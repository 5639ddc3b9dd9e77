import { Link } from 'wouter';
import type { ContentType } from '../../api/content-types';
import { Badge } from '../../parts/badge';
import { useTitle } from '../../parts/page';
import { titleField, titleOf } from '../content/entry-title';
import { EntryActions } from './entry-actions';
import styles from './entry-header.module.css';
import type { EditorState } from './model/editor-state';
import { PresenceLine } from './presence/presence-line';
import { SaveState } from './save-state';
import { ScheduleLine } from './schedule/schedule-line';
import { useEditor, useEditorState } from './use-editor';
import { useFieldValue } from './use-field';

/** What stays in sight while an entry is edited: what it is called, whether it is saved, and what can be done. */
export function EntryHeader({ type }: { type: ContentType }) {
  const state = useEditorState(useEditor());
  const title = useEntryTitle(type, state);
  useTitle(title);
  return (
    <>
      <header className={styles.names}>
        <div className={styles.around}>
          <Link href={`/content/${type.slug}`} className={styles.type} dir="auto">
            {type.name}
          </Link>
          {state.entry && <PresenceLine type={type} entry={state.entry} />}
        </div>
        <h1 className={styles.title} dir="auto">
          {title}
        </h1>
        {state.entry && <ScheduleLine type={type} entry={state.entry} />}
      </header>
      <div className={styles.bar}>
        <div className={styles.states}>
          <Badge {...(state.entry?.status !== 'published' && { look: 'quiet' })}>{statusOf(state)}</Badge>
          <SaveState />
        </div>
        <EntryActions type={type} />
      </div>
    </>
  );
}

function useEntryTitle(type: ContentType, { entry }: EditorState): string {
  const field = titleField(type);
  const value = useFieldValue(field?.name ?? '');
  const isNamed = field !== undefined && typeof value === 'string' && value.trim() !== '';
  const id = entry?.id ?? `New ${type.name}`;
  return isNamed ? titleOf(field, { id, fields: { [field.name]: value } }) : id;
}

function statusOf({ entry, draft, saving }: EditorState): string {
  if (entry?.status !== 'published') return 'Draft';
  return draft || saving.is === 'saving' || saving.is === 'failed' ? 'Published, with changes' : 'Published';
}

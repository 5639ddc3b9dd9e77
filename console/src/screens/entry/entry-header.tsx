import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import type { ContentType } from '../../api/content-types';
import { Badge } from '../../parts/badge';
import { useTitle } from '../../parts/page';
import { titleField, titleOf } from '../content/entry-title';
import type { EntryLocale } from '../../api/locales';
import { EntryActions } from './entry-actions';
import styles from './entry-header.module.css';
import { useEntryLanguage } from './language/entry-language';
import type { EditorState } from './model/editor-state';
import { SaveState } from './save-state';
import { ScheduleLine } from './schedule/schedule-line';
import { useEditor, useEditorState } from './use-editor';
import { useFieldValue } from './use-field';

/** Who else is here is asked once the entry is shown. */
const PresenceLine = lazy(() => import('./presence/presence-line'));

/** What stays in sight while an entry is edited: what it is called, whether it is saved, and what can be done. */
export function EntryHeader({ type }: { type: ContentType }) {
  const state = useEditorState(useEditor());
  const title = useEntryTitle(type, state);
  useTitle(title);
  const own = useEntryLanguage()?.own;
  const isLive = own ? own.live : state.entry?.status === 'published';
  return (
    <>
      <header className={styles.names}>
        <div className={styles.around}>
          <Link href={`/content/${type.slug}`} className={styles.type} dir="auto">
            {type.name}
          </Link>
          <Suspense>{state.entry && <PresenceLine type={type} entry={state.entry} />}</Suspense>
        </div>
        <h1 className={styles.title} dir="auto">
          {title}
        </h1>
        {state.entry && <ScheduleLine type={type} entry={state.entry} />}
      </header>
      <div className={styles.bar}>
        <div className={styles.states}>
          <Badge {...(!isLive && { look: 'quiet' })}>{statusOf(state, own)}</Badge>
          <SaveState />
        </div>
        <EntryActions type={type} />
      </div>
    </>
  );
}

function useEntryTitle(type: ContentType, { entry }: EditorState): string {
  const field = titleField(type);
  const standard = useEntryLanguage()?.standard;
  // What has no title in the language yet is called as in the default one.
  const value = useFieldValue(field?.name ?? '') || standard?.[field?.name ?? ''];
  const isNamed = field !== undefined && typeof value === 'string' && value.trim() !== '';
  const id = entry?.id ?? `New ${type.name}`;
  return isNamed ? titleOf(field, { id, fields: { [field.name]: value } }) : id;
}

function statusOf({ entry, draft, saving }: EditorState, own: EntryLocale | undefined): string {
  if (entry?.status !== 'published') return 'Draft';
  if (own && !own.live) return own.values > 0 ? 'Not public' : own.draft ? 'Draft' : 'Not translated';
  return (own ? own.draft : draft) || saving.is === 'saving' || saving.is === 'failed'
    ? 'Published, with changes'
    : 'Published';
}

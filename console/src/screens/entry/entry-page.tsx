import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';
import type { ContentType } from '../../api/content-types';
import { Loading } from '../../parts/loading';
import { ProblemMessage } from '../../parts/problem-message';
import { classNames } from '../../parts/class-names';
import { Tabs, withOnly } from '../../parts/tabs';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { EntryForm } from './entry-form';
import { EntryHeader } from './entry-header';
import styles from './entry-page.module.css';
import { History } from './history/history';
import { useEntryLanguage } from './language/entry-language';
import type { EditorState, Question } from './model/editor-state';
import type { LoadedEntry } from './model/load-entry';
import { OfferNotice } from './offer-notice';
import { BesideSite } from './preview/beside-site';
import { PreviewContext, useNewPreview } from './preview/use-preview';
import { ReviewNotice } from './review/review-notice';
import { EditorContext, useEditorState, useNewEditor } from './use-editor';
import { useSaveKey } from './use-save-key';

/** What asks is loaded when there is a question. Without it, the person decides later. */
const ConflictDialog = lazy(() => import('./conflict-dialog').catch(() => ({ default: DecideLater })));

/** What refers to the entry is loaded when somebody asks for it. */
const References = lazy(async () => ({ default: (await import('./references/references')).References }));

interface EntryPageProps {
  type: ContentType;
  loaded: LoadedEntry | undefined;
  isReadOnly: boolean;
}

/** What is done with an entry: writing it, and looking at what it was and where it is used. */
export function EntryPage({ type, loaded, isReadOnly }: EntryPageProps) {
  const editor = useNewEditor(type, loaded, isReadOnly);
  const language = useEntryLanguage();
  const { entry, question, offer, problem, led } = useEditorState(editor);
  const preview = useNewPreview(type, led);
  useSaveKey(editor);
  useFormTab(led);
  const seesAll = mayFor(useTenant(), 'content:read', type);
  const edit = { id: 'edit', name: 'Edit', show: () => <EntryForm type={type} /> };
  const history = seesAll &&
    entry && {
      id: 'history',
      name: 'History',
      show: () => <History type={type} entry={entry} onRestored={() => void editor.refresh()} />,
    };
  const references = entry && {
    id: 'references',
    name: 'References',
    show: () => (
      <Suspense fallback={<Loading />}>
        <References type={type} entry={entry} />
      </Suspense>
    ),
  };
  return (
    <EditorContext value={editor}>
      <PreviewContext value={preview}>
        <div className={classNames(styles.page, preview.isOpen && styles.withSite)}>
          <EntryHeader type={type} />
          {offer && <OfferNotice offer={offer} />}
          <ProblemMessage error={problem} />
          {language && <language.parts.Bar type={type} entry={entry} />}
          {editor.isReadOnly && (
            <p className={styles.reading}>
              You may read this entry{language && ` in ${language.name}`}, and not change it.
            </p>
          )}
          {entry && <ReviewNotice type={type} entry={entry} />}
          <BesideSite type={type}>
            <Tabs
              label="Entry"
              kept={LANGUAGE}
              tabs={[edit, history, references].filter((tab) => typeof tab === 'object')}
            />
          </BesideSite>
          <Suspense>{question && <ConflictDialog type={type} question={question} />}</Suspense>
        </div>
      </PreviewContext>
    </EditorContext>
  );
}

function DecideLater({ question: { answer } }: { question: Question }): ReactNode {
  useEffect(() => answer(undefined), [answer]);
  return null;
}

/** The parameter of the address that each tab has. */
const LANGUAGE = ['locale'];

/** Opens the tab of the form for a person who is led to a field. */
function useFormTab(led: EditorState['led']): void {
  const [query, setQuery] = useSearchParams();
  const isElsewhere = query.has('tab');
  const seen = useRef(led);
  useEffect(() => {
    if (seen.current === led) return;
    seen.current = led;
    if (led && isElsewhere) setQuery((before) => withOnly(before, LANGUAGE));
  }, [led, isElsewhere, setQuery]);
}

import { lazy, type ReactNode, Suspense } from 'react';
import type { ContentType } from '../../../api/content-types';
import { ProblemMessage } from '../../../parts/problem-message';
import { classNames } from '../../../parts/class-names';
import styles from './preview.module.css';
import { type PreviewView, usePreview } from './use-preview';

/** Loaded when somebody opens it. */
const PreviewPane = lazy(() => import('./preview-pane').catch(() => ({ default: NotLoaded })));

const VIEWS: readonly (readonly [PreviewView, string])[] = [
  ['form', 'Form'],
  ['site', 'Site'],
];

/** The form, and the site beside it. Where there is no space for both, a switch says which one is shown. */
export function BesideSite({ type, children }: { type: ContentType; children: ReactNode }) {
  const { template, isOpen, view, show } = usePreview();
  return (
    <div className={classNames(isOpen ? styles.beside : styles.alone)} data-view={view}>
      {isOpen && (
        <div role="group" aria-label="Show" className={classNames(styles.choices, styles.views)}>
          {VIEWS.map(([each, name]) => (
            <button
              key={each}
              type="button"
              className={styles.choice}
              aria-pressed={view === each}
              onClick={() => show(each)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <div className={styles.form}>{children}</div>
      {isOpen && template !== undefined && (
        <Suspense fallback={<div className={styles.pane} />}>
          <PreviewPane type={type} template={template} />
        </Suspense>
      )}
    </div>
  );
}

function NotLoaded() {
  return (
    <div className={styles.pane}>
      <ProblemMessage error={new Error('The preview could not be loaded. Load the page again.')} />
    </div>
  );
}

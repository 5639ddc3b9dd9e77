import { lazy, Suspense } from 'react';
import { Loading } from '../../../parts/loading';
import type { OfEntry } from '../use-address';

/** What compares texts is loaded when somebody looks at the history. */
const Versions = lazy(() => import('./versions'));

interface HistoryProps extends OfEntry {
  /** After a version was restored, into the entry or its draft: what the form shows is read again. */
  onRestored: () => void;
}

/** The versions of an entry. */
export function History(props: HistoryProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Versions {...props} />
    </Suspense>
  );
}

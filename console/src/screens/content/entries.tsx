import { ApiProblem } from '../../api/problem';
import { Loading } from '../../parts/loading';
import { Page } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { useListState } from '../../lists/list-address';
import { NotFound } from '../../shell/not-found';
import { EntryList } from './entry-list';
import { useEntries, useType } from './use-entries';

/** The entries of a content type. What it is, and what is in it, is asked at the same time. */
export default function Entries({ slug }: { slug: string }) {
  const [state, change] = useListState();
  const type = useType(slug);
  const entries = useEntries(slug, state);
  if (type.data) return <EntryList type={type.data} entries={entries} state={state} onChange={change} />;
  if (type.error instanceof ApiProblem && type.error.status === 404) return <NotFound />;
  return (
    <Page title="Content" isWide>
      <ProblemMessage error={type.error} onRetry={() => void type.refetch()} />
      {type.isPending && <Loading />}
    </Page>
  );
}

import { Button } from '../parts/button';
import { ProblemMessage } from '../parts/problem-message';
import styles from './load-more.module.css';

interface LoadMoreProps {
  /** What an infinite query says. */
  query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly error: unknown;
    fetchNextPage: () => Promise<unknown>;
  };
}

/** Goes on after the last row. The rows that are shown stay where they are, and a failure says so here. */
export function LoadMore({ query }: LoadMoreProps) {
  if (!query.hasNextPage) return null;
  const more = () => void query.fetchNextPage();
  return (
    <div className={styles.more}>
      {query.isFetchNextPageError ? (
        <ProblemMessage error={query.error} onRetry={more} />
      ) : (
        <Button isBusy={query.isFetchingNextPage} onClick={more}>
          Load more
        </Button>
      )}
    </div>
  );
}

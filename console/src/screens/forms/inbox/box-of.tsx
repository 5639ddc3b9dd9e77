import { useSearchParams } from 'wouter';
import type { FormDetail } from '../../../api/forms';
import { LoadMore } from '../../../lists/load-more';
import { SearchBox } from '../../../lists/search-box';
import { EmptyState } from '../../../parts/empty-state';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import type { Box } from './boxes';
import { InboxActions } from './inbox-actions';
import styles from './inbox.module.css';
import { SubmissionList } from './submission-list';
import { SubmissionView } from './submission-view';
import { SubmissionsByDay } from './submissions-by-day';
import { useInboxKeys } from './use-inbox-keys';
import { useSubmissions } from './use-submissions';

/** A list, and beside it the submission that is open. The address has both. */
export function BoxOf({ form, box }: { form: FormDetail; box: Box }) {
  const [address, setAddress] = useSearchParams();
  const search = address.get('search') ?? '';
  const openId = address.get('submission') ?? undefined;
  const change = (name: string, value: string, options = {}) =>
    setAddress((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    }, options);
  const list = useSubmissions(form.id, box, search);
  const shown = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const open = (id: string) => change('submission', id, { replace: openId !== undefined });
  useInboxKeys(shown, openId, open);
  return (
    <>
      <div className={styles.toolbar}>
        <SearchBox value={search} onSearch={(words) => change('search', words, { replace: true })} />
        <InboxActions form={form} query={{ ...box.query, ...(search && { search }) }} />
      </div>
      <ProblemMessage error={list.isFetchNextPageError ? null : list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.data && shown.length === 0 && (
        <EmptyState title={search === '' ? 'Nothing here' : 'Nothing was found'}>
          {search === '' ? box.empty : `No submission in this list contains “${search}”.`}
        </EmptyState>
      )}
      <div className={styles.columns} data-open={openId !== undefined || undefined}>
        {shown.length > 0 && (
          <div className={styles.list}>
            <SubmissionList form={form} submissions={shown} openId={openId} onOpen={open} />
            <LoadMore query={list} />
          </div>
        )}
        {openId !== undefined && (
          <SubmissionView
            key={openId}
            form={form}
            id={openId}
            submissions={shown}
            onOpen={open}
            onClose={() => change('submission', '')}
          />
        )}
      </div>
      {openId === undefined && box.id === 'new' && <SubmissionsByDay form={form} />}
    </>
  );
}

import { Link } from 'wouter';
import type { MediaUse } from '../../../api/media';
import { LoadMore } from '../../../lists/load-more';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { Row, Rows } from '../../../parts/rows';
import styles from './file.module.css';
import { useFileUses, useUsing } from './use-file-uses';

/** The entries that use the file, and in which field. */
export function FileUses({ id }: { id: string }) {
  const uses = useFileUses(id);
  const pages = uses.data?.pages.map(({ data }) => data) ?? [];
  const { types, titles } = useUsing(pages);
  const titleOf = ({ content_type_id: typeId, entry_id: entryId }: MediaUse) => {
    const type = types.get(typeId);
    const title = titles.get(entryId) ?? entryId;
    return type ? <Link href={`/content/${type.slug}/${entryId}`}>{title}</Link> : title;
  };
  return (
    <section className={styles.uses} aria-label="Where it is used">
      <h3>Where it is used</h3>
      {uses.isPending && <Loading />}
      {!uses.data && <ProblemMessage error={uses.error} onRetry={() => void uses.refetch()} />}
      {uses.data && (
        <Rows empty="No entry uses it.">
          {pages.flat().map((use) => (
            <Row key={`${use.entry_id} ${use.field}`} title={titleOf(use)}>
              {[types.get(use.content_type_id)?.name, use.field].filter(Boolean).join(' · ')}
            </Row>
          ))}
        </Rows>
      )}
      <LoadMore query={uses} />
    </section>
  );
}

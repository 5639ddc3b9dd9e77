import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ContentType } from '../../api/content-types';
import { type ListedDraft, listDrafts } from '../../api/drafts';
import { countInWords } from '../../parts/numbers';
import { When } from '../../parts/when';
import { useTenant } from '../../shell/tenant';
import { titleField, titleOf } from '../content/entry-title';
import { useTypes } from '../entry/fields/use-referred';
import { Item, Items, Nothing, Part } from './part';
import styles from './overview.module.css';

/** Drafts that a part shows. */
const SHOWN = 5;

/** What somebody asked to be looked at. */
export function WaitingDrafts() {
  return (
    <DraftsPart
      title="Waiting for review"
      query={useDrafts('review')}
      nothing={
        <Nothing href="/content" next="Open content">
          Nothing waits for review. “Ask for review” in an entry puts it here.
        </Nothing>
      }
      about={({ draft, type }) => <Asked draft={draft} type={type} />}
      more={({ draft: { review } }) =>
        review?.note !== undefined && (
          <span className={styles.note} dir="auto">
            {review.note}
          </span>
        )
      }
    />
  );
}

function Asked({ draft: { review }, type }: { draft: ListedDraft; type: ContentType }) {
  return (
    <>
      <bdi>{type.name}</bdi> · asked{' '}
      {review?.by !== undefined && (
        <>
          by <bdi>{review.by}</bdi>{' '}
        </>
      )}
      {review && <When time={review.at} />}
    </>
  );
}

/** What the person (or key) was the last to save, and nobody has published. */
export function MyDrafts() {
  return (
    <DraftsPart
      title="My drafts"
      query={useDrafts('mine')}
      nothing={
        <Nothing href="/content" next="Write something">
          You have no drafts. What you save and do not publish is listed here.
        </Nothing>
      }
      about={({ draft, type }) => (
        <>
          <bdi>{type.name}</bdi> · saved <When time={draft.updated_at} />
        </>
      )}
    />
  );
}

/** A draft, and what names it. */
interface NamedDraft {
  draft: ListedDraft;
  type: ContentType;
  title: string;
}

/** A list of drafts that lead to their entries. `about` and `more` show what is said of each. */
function DraftsPart({
  title,
  query,
  nothing,
  about,
  more,
}: {
  title: string;
  query: ReturnType<typeof useDrafts>;
  nothing: ReactNode;
  about: (draft: NamedDraft) => ReactNode;
  more?: (draft: NamedDraft) => ReactNode;
}) {
  return (
    <Part title={title} query={query}>
      {({ drafts, total }) =>
        total === 0 ? (
          nothing
        ) : (
          <>
            <Items>
              {drafts.map((each) => (
                <Item
                  key={each.draft.id}
                  href={`/content/${each.type.slug}/${each.draft.id}`}
                  title={each.title}
                  about={about(each)}
                >
                  {more?.(each)}
                </Item>
              ))}
            </Items>
            {total > SHOWN && <p className={styles.rest}>and {countInWords(total - SHOWN)} more</p>}
          </>
        )
      }
    </Part>
  );
}

/** The drafts with what names them. They and their types are asked for at the same time. */
function useDrafts(which: 'review' | 'mine') {
  const tenant = useTenant();
  const types = useTypes();
  const drafts = useQuery({
    queryKey: [tenant.id, 'drafts', which],
    queryFn: ({ signal }) => listDrafts(tenant.id, which, SHOWN, signal),
  });
  const data = types.data &&
    drafts.data && {
      total: drafts.data.meta.total,
      drafts: drafts.data.data.flatMap((draft) => {
        const type = types.data.find(({ id }) => id === draft.content_type_id);
        return type ? [{ draft, type, title: titleOf(titleField(type), draft) }] : [];
      }),
    };
  return {
    data,
    error: drafts.error ?? types.error,
    isPending: drafts.isPending || types.isPending,
    refetch: () => Promise.all([drafts.refetch(), types.refetch()]),
  };
}

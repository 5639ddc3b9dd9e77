import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { type AuditRecord, listAudit } from '../../api/audit';
import type { ContentType } from '../../api/content-types';
import { classNames } from '../../parts/class-names';
import { When } from '../../parts/when';
import { maySome } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { type EntryNames, useEntryNames } from '../entry/names/use-entry-names';
import { kindInWords, wordsFor } from '../settings/audit/actions';
import { Items, Nothing, Part } from './part';
import styles from './overview.module.css';

/** Records that are shown. */
const SHOWN = 8;

/** The log does not name the content types of entries. Those of a tenant with more types than this are shown without their titles. */
const MOST_TYPES = 12;

export function RecentChanges() {
  const tenant = useTenant();
  const query = useQuery({
    queryKey: [tenant.id, 'audit', 'recent'],
    queryFn: async ({ signal }) => (await listAudit(tenant.id, {}, { cursor: '', perPage: SHOWN, signal })).data,
  });
  return (
    <Part title="Recent changes" query={query} more={{ href: '/settings/audit', name: 'Audit log' }}>
      {(records) =>
        records.length === 0 ? (
          <Nothing href="/content" next="Open content">
            Nothing was changed yet. Who changes what is listed here.
          </Nothing>
        ) : (
          <Changes records={records} />
        )
      }
    </Part>
  );
}

function Changes({ records }: { records: readonly AuditRecord[] }) {
  const found = useNames(records);
  return (
    <Items>
      {records.map((record) => {
        const { id, actor, action, resource, at } = record;
        return (
          <li key={id} className={classNames(styles.item, styles.change)}>
            <span>
              <bdi>{actor.name}</bdi> {wordsFor(action)} <Changed resource={resource} {...found} />
            </span>
            <span className={styles.about}>
              <When time={at} />
            </span>
          </li>
        );
      })}
    </Items>
  );
}

/** The thing with its title, as far as it is known, and with a link to where it may be looked at. */
function Changed({ resource: { type, id }, names, types }: Pick<AuditRecord, 'resource'> & EntryNames) {
  const place = placeOf({ type, id }, names, types);
  const kind = kindInWords(type);
  if (!place) return <>the {kind}</>;
  return (
    <>
      {place.title === undefined ? '' : `the ${kind} `}
      <Link href={place.href} dir="auto">
        {place.title ?? `the ${kind}`}
      </Link>
    </>
  );
}

interface Place {
  readonly href: string;
  readonly title?: string;
}

function placeOf(
  { type, id }: AuditRecord['resource'],
  names: EntryNames['names'],
  types: readonly ContentType[],
): Place | undefined {
  if (type === 'entry') {
    const entry = names.get(id);
    return entry && { href: `/content/${entry.type.slug}/${id}`, title: entry.title };
  }
  if (type === 'webhook') return { href: `/webhooks/${id}` };
  if (type === 'locales') return { href: '/settings/languages' };
  if (type === 'form') return { href: `/forms/${id}` };
  const contentType = type === 'content_type' && types.find((each) => each.id === id);
  return contentType ? { href: `/content/${contentType.slug}`, title: contentType.name } : undefined;
}

function useNames(records: readonly AuditRecord[]): EntryNames {
  const tenant = useTenant();
  const known = useEntryNames(NO_PLACES);
  const places = useMemo(() => {
    const all = known.types.map(({ id }) => id);
    if (!maySome(tenant, 'content:read:published') || all.length > MOST_TYPES) return NO_PLACES;
    return records
      .filter(({ resource }) => resource.type === 'entry')
      .map(({ resource }) => ({ id: resource.id, types: all }));
  }, [known.types, records, tenant]);
  return useEntryNames(places);
}

const NO_PLACES: readonly { readonly id: string; readonly types: readonly string[] }[] = [];

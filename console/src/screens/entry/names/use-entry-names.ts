import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ContentType } from '../../../api/content-types';
import { entriesWithIds, type Entry, MAX_IDS } from '../../../api/entries';
import { maySome } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { titleField, titleOf } from '../../content/entry-title';
import { entriesKey } from '../../content/keys';
import { inLanguage, otherThanDefault, useEntryLanguage } from '../language/entry-language';
import { useTypes } from '../fields/use-referred';

/** An entry that something names. */
export interface NamedPlace {
  readonly id: string;
  /** The IDs or slugs of the content types that it may be of. */
  readonly types: readonly string[];
}

/** What a person calls it. */
export interface NamedEntry {
  readonly title: string;
  readonly type: ContentType;
}

export interface EntryNames {
  readonly names: ReadonlyMap<string, NamedEntry>;
  readonly types: readonly ContentType[];
  /** Whether all that can be found is. */
  readonly isComplete: boolean;
}

interface Chunk {
  readonly type: ContentType;
  readonly ids: readonly string[];
}

/** The titles of these entries, by their IDs. Those that are gone, or that the session may not see, are missing. */
export function useEntryNames(places: readonly NamedPlace[]): EntryNames {
  const tenant = useTenant();
  const preview = maySome(tenant, 'content:read');
  const locale = otherThanDefault(useEntryLanguage());
  const { data: types, isPending } = useTypes();
  const chunks = useMemo(() => chunksOf(places, types ?? []), [places, types]);
  const found = useQueries({
    queries: chunks.map(({ type, ids }) => ({
      queryKey: [...entriesKey(tenant.id, type.slug), 'names', ids, locale],
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        const query = {
          select: titleField(type)?.name ?? '',
          ...(preview && { preview: 'true' }),
          ...inLanguage(locale),
        };
        return entriesWithIds(tenant.id, type.slug, ids, query, signal);
      },
    })),
    combine,
  });
  const isComplete = places.length === 0 || (!isPending && found.isComplete);
  return useMemo(
    () => ({ names: namesOf(found.entries, types ?? []), types: types ?? [], isComplete }),
    [found.entries, types, isComplete],
  );
}

function combine(answers: readonly { data: { data: readonly Entry[] } | undefined; isPending: boolean }[]) {
  return {
    entries: answers.flatMap(({ data }) => data?.data ?? []),
    isComplete: answers.every(({ isPending }) => !isPending),
  };
}

function chunksOf(places: readonly NamedPlace[], types: readonly ContentType[]): readonly Chunk[] {
  return types.flatMap((type) => {
    const of = places.filter((place) => place.types.includes(type.id) || place.types.includes(type.slug));
    const ids = [...new Set(of.map(({ id }) => id))];
    const starts = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, index) => index * MAX_IDS);
    return starts.map((start) => ({ type, ids: ids.slice(start, start + MAX_IDS) }));
  });
}

function namesOf(entries: readonly Entry[], types: readonly ContentType[]): ReadonlyMap<string, NamedEntry> {
  return new Map(
    entries.flatMap((entry) => {
      const type = types.find(({ id }) => id === entry.content_type_id);
      return type ? [[entry.id, { title: titleOf(titleField(type), entry), type }]] : [];
    }),
  );
}

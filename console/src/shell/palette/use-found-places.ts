import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ContentType } from '../../api/content-types';
import { searchEntries } from '../../api/entries';
import { listMedia } from '../../api/media';
import { typesKey } from '../../screens/content/keys';
import { maySome } from '../../session/rights';
import { useTenant } from '../tenant';
import type { Place } from './place';

/** Entries and files that are found at most. */
const ENTRIES = 8;
const FILES = 4;
/** Milliseconds without a keystroke after which is searched. */
const PAUSE = 150;

/** What a search of the service finds. Nothing is asked for without words. */
export function useFoundPlaces(typed: string) {
  const tenant = useTenant();
  const [, navigate] = useLocation();
  const search = usePaused(typed.trim());
  const isAsked = search !== '';
  const entries = useQuery({
    queryKey: [tenant.id, 'palette', 'entries', search],
    queryFn: ({ signal }) => searchEntries(tenant.id, { search, count: ENTRIES }, signal),
    enabled: isAsked && maySome(tenant, 'content:read:published'),
  });
  const files = useQuery({
    queryKey: [tenant.id, 'palette', 'files', search],
    queryFn: ({ signal }) => listMedia(tenant.id, { search: asBeginning(search), cursor: '' }, signal),
    enabled: isAsked && maySome(tenant, 'media:read'),
  });
  const { data: types } = useQuery<readonly ContentType[]>({ queryKey: typesKey(tenant.id), enabled: false });
  const places = useMemo(
    (): readonly Place[] => [
      ...(entries.data ?? []).map(({ id, content_type_id: typeId, title, status }): Place => {
        const type = types?.find((each) => each.id === typeId);
        const about = [type?.name, status === 'draft' && 'Draft'].filter(Boolean).join(' · ');
        const go = () => navigate(`/content/${type?.slug ?? typeId}/${id}`);
        return { id: `Entries ${id}`, group: 'Entries', name: title || id, about, go };
      }),
      ...(files.data?.data.slice(0, FILES) ?? []).map(({ id, filename }): Place => {
        const go = () => navigate(`/media?file=${id}`);
        return { id: `Files ${id}`, group: 'Files', name: filename, go };
      }),
    ],
    [entries.data, files.data, navigate, types],
  );
  const isSearching = typed.trim() !== search || entries.isFetching || files.isFetching;
  const retry = () => void Promise.all([entries.refetch(), files.refetch()]);
  return { places, isSearching, error: isAsked ? (entries.error ?? files.error) : null, retry };
}

/** The last word of a search for files may go on. That of a search for entries may anyway. */
function asBeginning(search: string): string {
  return /[\p{L}\p{N}]{2}$/u.test(search) ? `${search}*` : search;
}

/** The text once nobody types any more. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ContentType, type FieldDefinition, listTypes } from '../../../api/content-types';
import { entriesWithIds, type FoundEntry, MAX_IDS } from '../../../api/entries';
import { maySome } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { titleField, titleOf } from '../../content/entry-title';
import { inLanguage, otherThanDefault, useEntryLanguage } from '../language/entry-language';
import { typesKey } from '../../content/keys';

interface Referred {
  readonly title: string;
  readonly href: string;
}

/** The content types that a field refers to, as it names them: by ID or slug. */
export function targetNames({ content_type: one, content_types: several }: FieldDefinition): readonly string[] {
  return several ?? (one === undefined ? [] : [one]);
}

export function useTypes() {
  const { id } = useTenant();
  return useQuery({ queryKey: typesKey(id), queryFn: ({ signal }) => listTypes(id, signal) });
}

interface ReferredEntries {
  /** The entries with these IDs, as far as they can be seen. */
  readonly referred: ReadonlyMap<string, Referred>;
  /** Whether they are not known yet. */
  readonly isPending: boolean;
  /** Keeps in mind what an entry is called that is chosen, before its ID is among `next`. */
  readonly note: (found: FoundEntry, next: readonly string[]) => void;
}

/** What the entries with these IDs are called. */
export function useReferred(definition: FieldDefinition, ids: readonly string[]): ReferredEntries {
  const tenant = useTenant();
  const client = useQueryClient();
  const { data: types, isError: areUnknown } = useTypes();
  const locale = otherThanDefault(useEntryLanguage());
  const names = targetNames(definition);
  const targets = (types ?? []).filter(({ id, slug }) => names.includes(id) || names.includes(slug));
  const keyOf = (of: readonly string[]) => [tenant.id, 'referred', names, of, locale];
  const {
    data = NOTHING,
    isPending,
    isPlaceholderData,
  } = useQuery({
    queryKey: keyOf(ids),
    queryFn: ({ signal }) =>
      find(tenant.id, targets, ids, { locale, seesDrafts: maySome(tenant, 'content:read'), signal }),
    enabled: types !== undefined && ids.length > 0,
    placeholderData: (before) => before,
  });
  const note = ({ id, content_type_id: typeId, title }: FoundEntry, next: readonly string[]) => {
    const type = targets.find((each) => each.id === typeId);
    const entry = { title: title || id, href: `/content/${type?.slug ?? typeId}/${id}` };
    client.setQueryData(keyOf(next), new Map([...data, [id, entry]]));
  };
  return { referred: data, isPending: (isPending || isPlaceholderData) && ids.length > 0 && !areUnknown, note };
}

const NOTHING: ReadonlyMap<string, Referred> = new Map();

interface Reading {
  readonly locale: string | undefined;
  readonly seesDrafts: boolean;
  readonly signal: AbortSignal;
}

async function find(
  tenantId: string,
  targets: readonly ContentType[],
  ids: readonly string[],
  { locale, seesDrafts, signal }: Reading,
): Promise<ReadonlyMap<string, Referred>> {
  const chunks = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, index) =>
    ids.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
  );
  const found = await Promise.all(
    targets.flatMap((type) => {
      const field = titleField(type);
      const query = { select: field?.name ?? '', ...(seesDrafts && { preview: 'true' }), ...inLanguage(locale) };
      return chunks.map(async (chunk) => {
        const { data } = await entriesWithIds(tenantId, type.slug, chunk, query, signal);
        return data.map((entry): [string, Referred] => [
          entry.id,
          { title: titleOf(field, entry), href: `/content/${type.slug}/${entry.id}` },
        ]);
      });
    }),
  );
  return new Map(found.flat());
}

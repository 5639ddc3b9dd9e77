import { useQuery } from '@tanstack/react-query';
import { type ContentType, listTypes } from '../../../api/content-types';
import { countEntries } from '../../../api/entries';
import { countLocales } from '../../../api/locales';
import { isLocalized } from '../../../locales/use-locales';
import { useTenant } from '../../../shell/tenant';
import { typesKey } from '../../content/keys';

/** The content types with translated fields. Undefined until they are known. */
export function useLocalizedTypes(): readonly ContentType[] | undefined {
  const { id } = useTenant();
  const { data } = useQuery({ queryKey: typesKey(id), queryFn: ({ signal }) => listTypes(id, signal) });
  return data?.filter(isLocalized);
}

/** Types whose entries are counted: each takes two requests. */
const COUNTED = 20;

/** How many entries have values in the language. Undefined until it is known, and where it would take too long. */
export function useTranslatedCount(types: readonly ContentType[] | undefined, code: string): number | undefined {
  const { id } = useTenant();
  const { data } = useQuery({
    queryKey: [id, 'translated', code, types?.map((type) => type.id)],
    queryFn: async ({ signal }) => {
      const counts = await Promise.all(
        (types ?? []).map(async ({ slug }) => {
          const [all, locales] = await Promise.all([countEntries(id, slug, signal), countLocales(id, slug, signal)]);
          return all - (locales.find((locale) => locale.code === code)?.missing ?? all);
        }),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    enabled: types !== undefined && types.length <= COUNTED,
    staleTime: 0,
  });
  return data;
}

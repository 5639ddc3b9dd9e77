import { useQuery } from '@tanstack/react-query';
import type { ContentType } from '../api/content-types';
import { getLocales, type Locales } from '../api/locales';
import { useTenant } from '../shell/tenant';

function localesKey(tenantId: string): string[] {
  return [tenantId, 'locales'];
}

/** The languages of the tenant, and their version. */
export function useLocales(isEnabled = true) {
  const { id } = useTenant();
  return useQuery({
    queryKey: localesKey(id),
    queryFn: ({ signal }) => getLocales(id, signal),
    enabled: isEnabled,
  });
}

/** Whether some values of the type are those of a language. */
export function isLocalized({ fields }: Pick<ContentType, 'fields'>): boolean {
  return fields.some(({ localized }) => localized === true);
}

/** `German`; the code of a language that is not there any more. */
export function localeName({ locales }: Locales, code: string): string {
  return locales.find((locale) => locale.code === code)?.name ?? code;
}

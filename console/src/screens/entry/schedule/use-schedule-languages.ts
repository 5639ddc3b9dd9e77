import { useState } from 'react';
import type { Entry } from '../../../api/entries';
import type { ScheduleBody } from '../../../api/entry-parts/schedule';
import { useTenant } from '../../../shell/tenant';
import { useEntryLanguage } from '../language/entry-language';
import { chosenAtFirst, faultIn, localesToSend, offeredLanguages } from './scheduled-locales';

/** The languages that the person chooses for a schedule. Undefined for an entry in one language. */
export function useScheduleLanguages({ status }: Entry, schedule: ScheduleBody | null) {
  const tenant = useTenant();
  const language = useEntryLanguage();
  const isPublic = status === 'published';
  const [chosen, setChosen] = useState(() => (language ? chosenAtFirst(tenant, language, schedule, isPublic) : []));
  const [error, setError] = useState<string>();
  if (!language) return undefined;
  const { locales } = language;
  const sent = localesToSend(tenant, language, chosen);
  return {
    locales,
    offered: offeredLanguages(tenant, language),
    mayAll: tenant.locales === undefined,
    chosen,
    error,
    sent,
    /** Whether the service would refuse to publish them, unless the default language is published before. */
    isEarly: !isPublic && sent !== undefined && sent.length > 0 && !sent.includes(locales.default),
    onChoose: (codes: readonly string[]) => {
      setChosen(codes);
      setError(undefined);
    },
    /** Returns whether the body can be sent, and says what is wrong with it otherwise. */
    allows: (body: ScheduleBody) => {
      const fault = faultIn(body, language);
      setError(fault);
      return fault === undefined;
    },
  };
}

export type ScheduleLanguages = NonNullable<ReturnType<typeof useScheduleLanguages>>;

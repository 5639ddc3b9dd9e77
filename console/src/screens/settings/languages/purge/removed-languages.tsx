import { useState } from 'react';
import type { Locales } from '../../../../api/locales';
import { useOpen } from '../../../../shell/use-open';
import { ChooseRemoved } from './choose-removed';
import { PurgeLanguage } from './purge-language';
import { PurgeNotice } from './purge-notice';
import type { RemovedLanguage } from './removed-language';
import { RemovedNotice } from './removed-notice';
import { type BegunPurge, usePurges } from './use-purges';

/** What opens the dialog that asks for a removed language, as `useOpen` has it. */
export const CHOOSE_REMOVED = 'purge';

interface RemovedLanguagesProps {
  locales: Locales;
  /** The one that was removed on this page. */
  removed: RemovedLanguage | undefined;
  /** Nothing more is said of it. */
  onSettled: () => void;
}

/** What becomes of the values of languages that were removed, and how far their deletion is. */
export function RemovedLanguages({ locales, removed, onSettled }: RemovedLanguagesProps) {
  const { purges, add, putAway } = usePurges();
  const [isChoosing, setChoosing] = useOpen(CHOOSE_REMOVED);
  const [isAsking, setAsking] = useState(false);
  const isBack = locales.locales.some(({ code }) => code === removed?.code);
  const begin = (purge: BegunPurge) => {
    add(purge);
    onSettled();
  };
  return (
    <>
      {removed && !isBack && <RemovedNotice language={removed} onPurge={() => setAsking(true)} onClose={onSettled} />}
      {purges.map((purge) => (
        <PurgeNotice key={purge.id} purge={purge} onPutAway={() => putAway(purge.id)} />
      ))}
      {removed && isAsking && <PurgeLanguage language={removed} onBegun={begin} onClose={() => setAsking(false)} />}
      {isChoosing && <ChooseRemoved locales={locales} onBegun={add} onClose={() => setChoosing(false)} />}
    </>
  );
}

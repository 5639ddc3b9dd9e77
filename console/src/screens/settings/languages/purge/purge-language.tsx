import { purgeLocale } from '../../../../api/locale-purges';
import { Confirm } from '../../../../parts/confirm';
import { countedAs } from '../../../../parts/numbers';
import { useTenant } from '../../../../shell/tenant';
import type { RemovedLanguage } from './removed-language';
import type { BegunPurge } from './use-purges';

interface PurgeLanguageProps {
  language: RemovedLanguage;
  onBegun: (purge: BegunPurge) => void;
  onClose: () => void;
}

/** Asks before the values of a removed language are deleted for good. */
export function PurgeLanguage({ language: { code, name, entries }, onBegun, onClose }: PurgeLanguageProps) {
  const { id: tenantId } = useTenant();
  return (
    <Confirm
      title={`Delete the values in ${name} for good?`}
      action={`Delete the values in ${name}`}
      onConfirm={async () => onBegun({ id: (await purgeLocale(tenantId, code)).id, name })}
      onDone={() => undefined}
      onClose={onClose}
    >
      Everything written in <bdi>{name}</bdi> (<code>{code}</code>) is deleted
      {entries === undefined ? '' : ` from ${countedAs(entries, 'entry', 'entries')}`}: in the entries, in their drafts,
      and in every version of their history. This cannot be undone. If <bdi>{name}</bdi> is added again, it begins
      without a value.
    </Confirm>
  );
}

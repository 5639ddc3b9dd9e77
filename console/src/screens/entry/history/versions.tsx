import { lazy, Suspense, useMemo, useState } from 'react';
import type { Version } from '../../../api/entry-parts/history';
import { LoadMore } from '../../../lists/load-more';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { mayFor } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import type { OfEntry } from '../use-address';
import { useEditor, useEditorState } from '../use-editor';
import { useEntryLanguage } from '../language/entry-language';
import { Comparison } from './comparison';
import { DraftItem, draftDifferences } from './draft-item';
import { useOpenVersion } from './use-open-version';
import { useVersions } from './use-versions';
import { VersionItem } from './version-item';
import styles from './versions.module.css';

/** What asks before a version is restored is loaded then. */
const RestoreVersion = lazy(() => import('./restore-version'));

interface VersionsProps extends OfEntry {
  onRestored: () => void;
}

/** The states of an entry, newest first, each with what differs from the one before. */
export default function Versions({ type, entry, onRestored }: VersionsProps) {
  const versions = useVersions({ type, entry });
  const { draft } = useEditorState(useEditor());
  const mayRestore = mayFor(useTenant(), 'content:draft', type);
  const [restored, setRestored] = useState<Version>();
  const shown = versions.data?.pages.flatMap(({ data }) => data) ?? [];
  const [newest] = shown;
  const code = useEntryLanguage()?.code;
  const differences = useMemo(() => draftDifferences(entry, draft, code), [entry, draft, code]);
  const hasDraft = differences.length > 0;
  const address = useOpenVersion(hasDraft ? 'draft' : String(newest?.version));
  return (
    <>
      {!versions.data && <ProblemMessage error={versions.error} onRetry={() => void versions.refetch()} />}
      {versions.isPending && <Loading />}
      {newest && (
        <ol className={styles.list}>
          {hasDraft && (
            <DraftItem
              {...{ type, differences }}
              isOpen={address.open === 'draft'}
              onToggle={() => address.toggle('draft')}
            />
          )}
          {shown.map((version) => (
            <VersionItem
              key={version.version}
              type={type}
              version={version}
              isNewest={version === newest}
              isOpen={address.open === String(version.version)}
              onToggle={() => address.toggle(String(version.version))}
              {...(mayRestore && version !== newest && { onRestore: () => setRestored(version) })}
            >
              <Comparison
                {...{ type, entry, version }}
                others={shown}
                from={address.from}
                onCompareWith={address.compareWith}
              />
            </VersionItem>
          ))}
        </ol>
      )}
      <LoadMore query={versions} />
      <Suspense>
        {restored && (
          <RestoreVersion {...{ type, entry, onRestored }} version={restored} onClose={() => setRestored(undefined)} />
        )}
      </Suspense>
    </>
  );
}

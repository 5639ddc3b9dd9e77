import { useIsWide } from './use-is-wide';
import type { Change } from '../compare/change';
import { ShownValue } from './shown-value';
import { Sides } from './sides';
import styles from './changes.module.css';

/** A value that stands in place of another one. */
export function ChangedValue({
  change: { definition, before, after },
}: {
  change: Extract<Change, { kind: 'value' }>;
}) {
  const isWide = useIsWide();
  const removed = before !== undefined && (
    <del>
      <ShownValue definition={definition} value={before} />
    </del>
  );
  const added = after !== undefined && (
    <ins>
      <ShownValue definition={definition} value={after} />
    </ins>
  );
  if (isWide) return <Sides before={removed} after={added} />;
  return (
    <div className={styles.stacked}>
      {removed}
      {added}
    </div>
  );
}

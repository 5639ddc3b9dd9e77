import type { ReactNode } from 'react';
import type { AuditFilter, AuditRecord } from '../../../api/audit';
import { When } from '../../../parts/when';
import { kindInWords, wordsFor } from './actions';
import styles from './audit-row.module.css';

interface AuditRowProps {
  record: AuditRecord;
  /** Limits the list to the same person or key, or to the same thing. */
  onChoose: (filter: Pick<AuditFilter, 'actor' | 'resource'>) => void;
}

export function AuditRow({ record, onChoose }: AuditRowProps) {
  const { actor, action, resource, changes, at, ip } = record;
  const actorId = actor.user_id ?? actor.key_id;
  const kind = kindInWords(resource.type);
  return (
    <tr>
      <th scope="row">
        <div className={styles.what}>
          <span>
            {actorId === undefined ? (
              <strong dir="auto">{actor.name}</strong>
            ) : (
              <Chosen title={`Only changes by ${actor.name}`} onChoose={() => onChoose({ actor: actorId })}>
                <strong dir="auto">{actor.name}</strong>
              </Chosen>
            )}{' '}
            {wordsFor(action)} the {kind}{' '}
            <Chosen title={`Only changes of this ${kind}`} onChoose={() => onChoose({ resource: resource.id })}>
              <code>{resource.id}</code>
            </Chosen>
          </span>
          {changes.length > 0 && (
            <span className={styles.more} dir="auto">
              {changes.join(', ')}
            </span>
          )}
          {ip !== undefined && <span className={styles.more}>From {ip}</span>}
        </div>
      </th>
      <td className={styles.when}>
        <When time={at} />
      </td>
    </tr>
  );
}

interface ChosenProps {
  title: string;
  onChoose: () => void;
  children: ReactNode;
}

/** A part of the sentence that limits the list to itself. */
function Chosen({ title, onChoose, children }: ChosenProps) {
  return (
    <button type="button" className={styles.choose} title={title} onClick={onChoose}>
      {children}
    </button>
  );
}

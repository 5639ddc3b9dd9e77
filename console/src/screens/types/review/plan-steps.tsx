import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { entriesWithIds, MAX_IDS } from '../../../api/entries';
import type { DefinedField, DefinedType, PlanStep } from '../../../api/type-changes';
import { Badge } from '../../../parts/badge';
import { countedAs } from '../../../parts/numbers';
import { useTenant } from '../../../shell/tenant';
import { titleField, titleOf } from '../../content/entry-title';
import { entriesKey } from '../../content/keys';
import { CLASSES, entriesInWords, mergedSteps, stepInWords, translationIn } from './plan-words';
import styles from './plan-steps.module.css';

interface PlanStepsProps {
  /** As it is stored: the entries in the way have its fields. */
  type: DefinedType;
  /** The definitions that it shall have. Without them, they stay. */
  fields: readonly DefinedField[] | undefined;
  steps: readonly PlanStep[];
  /** The label of the field at a path of the plan. */
  labelAt: (path: string) => string;
}

/** What the change does to each field, and which entries are in its way. */
export function PlanSteps({ type, fields = [], steps, labelAt }: PlanStepsProps) {
  const titles = useTitles(type, steps);
  const translationOf = translationIn(type.fields, fields);
  return (
    <ul className={styles.steps} aria-label="Steps">
      {mergedSteps(steps).map((step) => (
        <li key={`${step.op} ${step.field}`} className={styles.step}>
          <p>
            <strong dir="auto">{labelAt(step.field)}</strong> {stepInWords(step, translationOf(step.field))}.{' '}
            <Badge look={step.class === 'safe' ? 'quiet' : 'danger'}>{CLASSES[step.class]}</Badge>
          </p>
          <p className={styles.about}>{entriesInWords(step, translationOf(step.field))}</p>
          {step.samples.length > 0 && (
            <ul className={styles.samples} aria-label="Entries in the way">
              {step.samples.map(({ entry_id: id, message }) => (
                <li key={id}>
                  <Link href={`/content/${type.slug}/${id}`} dir="auto">
                    {titles.get(id) ?? id}
                  </Link>{' '}
                  <span className={styles.about} dir="auto">
                    {message}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {step.failing > step.samples.length && (
            <p className={styles.about}>
              … and {countedAs(step.failing - step.samples.length, 'other entry', 'other entries')}.
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What the entries in the way are called. Until that is known, or for those who may not read them, they have their IDs. */
function useTitles(type: DefinedType, steps: readonly PlanStep[]): ReadonlyMap<string, string> {
  const tenant = useTenant();
  const ids = [...new Set(steps.flatMap(({ samples }) => samples.map(({ entry_id: id }) => id)))].slice(0, MAX_IDS);
  const { data } = useQuery({
    queryKey: [...entriesKey(tenant.id, type.slug), 'titles', ids],
    queryFn: ({ signal }) => entriesWithIds(tenant.id, type.id, ids, {}, signal),
    enabled: ids.length > 0,
  });
  const field = titleField(type);
  return new Map(data?.data.map((entry) => [entry.id, titleOf(field, entry)]));
}

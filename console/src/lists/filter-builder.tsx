import { useId, useState } from 'react';
import { Button } from '../parts/button';
import { Form } from '../parts/form';
import { ConditionRow } from './condition-row';
import { type Condition, faultOf, type Filter, type FilterField, MAX_CONDITIONS, newCondition } from './filter';
import styles from './filter-builder.module.css';

interface FilterBuilderProps {
  fields: readonly FilterField[];
  filter: Filter;
  onApply: (filter: Filter) => void;
}

/** Conditions on fields, of which all or any must hold. Nothing is asked before `Apply`. */
export function FilterBuilder({ fields, filter, onApply }: FilterBuilderProps) {
  const [match, setMatch] = useState(filter.match);
  const [rows, setRows] = useState(() =>
    numbered(filter.conditions.length > 0 ? filter.conditions : [newCondition(fields[0])]),
  );
  const [isChecked, setChecked] = useState(false);
  const group = useId();
  const change = (key: number, condition: Condition) =>
    setRows(rows.map((row) => (row.key === key ? { key, condition } : row)));
  const faultOfRow = (condition: Condition) =>
    faultOf(
      condition,
      fields.find(({ name }) => name === condition.field),
    );
  const apply = () => {
    setChecked(true);
    if (rows.some(({ condition }) => faultOfRow(condition))) return;
    onApply({ match, conditions: rows.map(({ condition }) => condition) });
  };
  return (
    <section className={styles.builder} aria-label="Conditions">
      <Form onSubmit={apply}>
        <fieldset className={styles.match}>
          <legend>Entries must meet</legend>
          {(['all', 'any'] as const).map((each) => (
            <label key={each}>
              <input type="radio" name={group} checked={match === each} onChange={() => setMatch(each)} />
              {each === 'all' ? 'All' : 'Any'}
            </label>
          ))}
        </fieldset>
        <ul className={styles.rows}>
          {rows.map(({ key, condition }) => (
            <ConditionRow
              key={key}
              fields={fields}
              condition={condition}
              fault={isChecked ? faultOfRow(condition) : undefined}
              onChange={(next) => change(key, next)}
              onRemove={() => setRows(rows.filter((row) => row.key !== key))}
            />
          ))}
        </ul>
        <div className={styles.buttons}>
          <Button
            disabled={rows.length >= MAX_CONDITIONS}
            onClick={() => setRows([...rows, { key: nextKey(rows), condition: newCondition(fields[0]) }])}
          >
            Add condition
          </Button>
          <Button type="submit" look="primary">
            Apply
          </Button>
        </div>
      </Form>
    </section>
  );
}

interface NumberedCondition {
  readonly key: number;
  readonly condition: Condition;
}

function numbered(conditions: readonly Condition[]): readonly NumberedCondition[] {
  return conditions.map((condition, key) => ({ key, condition }));
}

function nextKey(rows: readonly NumberedCondition[]): number {
  return Math.max(-1, ...rows.map(({ key }) => key)) + 1;
}

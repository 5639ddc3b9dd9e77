import { Button } from '../parts/button';
import { Select } from '../parts/fields/select';
import { TextField } from '../parts/fields/text-field';
import {
  type Condition,
  type FilterField,
  type FilterKind,
  type FilterOperator,
  firstValue,
  needsValue,
  OPERATORS,
  operatorsOf,
} from './filter';
import { operatorFor } from './where';
import styles from './filter-builder.module.css';

interface ConditionRowProps {
  fields: readonly FilterField[];
  condition: Condition;
  fault?: string;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

export function ConditionRow({ fields, condition, fault, onChange, onRemove }: ConditionRowProps) {
  const field = fields.find(({ name }) => name === condition.field);
  const kind = field?.kind ?? 'text';
  const chooseField = (name: string) => {
    const next = fields.find((each) => each.name === name);
    if (!next) return;
    const operator = operatorFor(next.kind, condition.operator);
    const isSame = next.kind === kind && kind !== 'choice';
    onChange({ field: name, operator, value: isSame ? condition.value : firstValue(next.kind, next.options) });
  };
  return (
    <li className={styles.row}>
      <Select label="Field" value={condition.field} onChange={({ target }) => chooseField(target.value)}>
        {fields.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        label="Operator"
        value={condition.operator}
        onChange={({ target }) => onChange({ ...condition, operator: target.value as FilterOperator })}
      >
        {operatorsOf(kind).map((operator) => (
          <option key={operator} value={operator}>
            {OPERATORS[kind][operator]}
          </option>
        ))}
      </Select>
      {needsValue(condition.operator) ? (
        <ValueBox
          field={field}
          value={condition.value}
          fault={fault}
          onChange={(value) => onChange({ ...condition, value })}
        />
      ) : (
        <span />
      )}
      <Button look="quiet" className={styles.remove} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

interface ValueBoxProps {
  field: FilterField | undefined;
  value: string;
  fault?: string;
  onChange: (value: string) => void;
}

const BOX_TYPES: Partial<Record<FilterKind, string>> = { date: 'date', time: 'datetime-local' };
const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

function ValueBox({ field, value, fault, onChange }: ValueBoxProps) {
  const options = field?.kind === 'boolean' ? YES_OR_NO : field?.options;
  if (options) {
    return (
      <Select label="Value" value={value} error={fault} onChange={({ target }) => onChange(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    );
  }
  return (
    <TextField
      label="Value"
      type={BOX_TYPES[field?.kind ?? 'text'] ?? 'text'}
      inputMode={field?.kind === 'number' ? 'decimal' : undefined}
      placeholder={field?.kind === 'id' ? 'ent_…' : undefined}
      autoComplete="off"
      value={value}
      error={fault}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

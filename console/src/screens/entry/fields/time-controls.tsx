import { useState } from 'react';
import { classNames } from '../../../parts/class-names';
import styles from '../../../parts/fields/field.module.css';
import { dateOf, localText, offsetText, zoneName } from '../model/times';
import { Unreadable } from '../model/values';
import { useEditor } from '../use-editor';
import { useFieldValue } from '../use-field';
import { FieldFrame, type FieldProps } from './field-frame';
import own from './fields.module.css';

/** A day that the browser's calendar can show. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function DateControl(props: FieldProps) {
  const { path } = props;
  const { form } = useEditor();
  const value = useFieldValue(path);
  const day = typeof value === 'string' && DAY.test(value) ? value : '';
  return (
    <FieldFrame {...props} isShort>
      {({ isInvalid, ...control }) => (
        <input
          {...control}
          type="date"
          max="9999-12-31"
          className={classNames(styles.control, isInvalid && styles.invalid)}
          value={day}
          onChange={({ target }) => form.set(path, typedValue(target, 'Complete the date, or remove it.'))}
        />
      )}
    </FieldFrame>
  );
}

/** A time in the person's zone. The value stays as it was sent until another time is chosen. */
export function DatetimeControl(props: FieldProps) {
  const { path } = props;
  const { form } = useEditor();
  const value = useFieldValue(path);
  // While a time is being typed, the browser reports nothing. What it shows must not be taken from it.
  const [typed, setTyped] = useState<{ local: string; value: unknown }>();
  const date = typeof value === 'string' ? dateOf(value) : undefined;
  const local = typed && typed.value === value ? typed.local : date ? localText(date) : '';
  const change = (target: HTMLInputElement) => {
    const entered = typedValue(target, 'Complete the time, or remove it.');
    const next = typeof entered === 'string' ? entered + offsetText(new Date(entered)) : entered;
    setTyped({ local: target.value, value: next });
    form.set(path, next);
  };
  return (
    <FieldFrame {...props} isShort>
      {({ isInvalid, ...control }) => (
        <>
          <input
            {...control}
            type="datetime-local"
            max="9999-12-31T23:59:59"
            step={date && date.getTime() % 60_000 !== 0 ? 'any' : undefined}
            className={classNames(styles.control, isInvalid && styles.invalid)}
            value={local}
            onChange={({ target }) => change(target)}
          />
          <p className={own.zone}>
            {typeof value === 'string' && !date ? `Stored as ${value}. ` : ''}
            {date ? `${zoneName(date)} time, ` : 'In your time zone, '}
            {date ? <span title="As it is stored">{String(value)}</span> : zoneName(new Date())}
          </p>
        </>
      )}
    </FieldFrame>
  );
}

/** A value that is half typed is not empty. */
function typedValue({ value, validity }: HTMLInputElement, message: string): unknown {
  if (validity.badInput) return new Unreadable('', message, 'is not complete');
  return value === '' ? undefined : value;
}

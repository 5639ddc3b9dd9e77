import { classNames } from '../../../parts/class-names';
import styles from '../../../parts/fields/field.module.css';
import { isExactNumber } from '../model/exact-number';
import { Unreadable } from '../model/values';
import { FieldFrame, type FieldProps } from './field-frame';
import { useTypedText } from './use-typed-text';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

const write = (value: unknown) => (typeof value === 'number' ? String(value) : '');

/** A number as text: the browser's own input would hide what it does not take for one. */
export function NumberControl(props: FieldProps) {
  const { definition, path } = props;
  const isInteger = definition.type === 'integer';
  const [text, change] = useTypedText(path, { write, read: isInteger ? readInteger : readNumber });
  return (
    <FieldFrame {...props} isShort>
      {({ isInvalid, ...control }) => (
        <input
          {...control}
          type="text"
          inputMode={isInteger && (definition.min ?? -1) >= 0 ? 'numeric' : 'decimal'}
          autoComplete="off"
          placeholder={definition.placeholder}
          className={classNames(styles.control, isInvalid && styles.invalid)}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </FieldFrame>
  );
}

function readNumber(text: string): unknown {
  const typed = text.trim();
  if (typed === '') return undefined;
  if (!DECIMAL.test(typed)) return new Unreadable(text, 'Enter a number, such as 12.5.', 'is not a number');
  if (isExactNumber(typed)) return Number(typed);
  return new Unreadable(text, 'This number has more digits than can be stored.', 'has too many digits');
}

function readInteger(text: string): unknown {
  const value = readNumber(text);
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  if (Number.isInteger(value)) return new Unreadable(text, 'This number is too large.', 'is too large');
  return new Unreadable(text, 'Enter a whole number, such as 12.', 'is not a whole number');
}

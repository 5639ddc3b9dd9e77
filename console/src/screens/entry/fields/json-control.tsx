import { classNames } from '../../../parts/class-names';
import styles from '../../../parts/fields/field.module.css';
import { inexactNumberIn } from '../model/exact-number';
import { Unreadable } from '../model/values';
import { FieldFrame, type FieldProps } from './field-frame';
import own from './fields.module.css';
import { useTypedText } from './use-typed-text';

const MAX_ROWS = 20;

const write = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));

export function JsonControl(props: FieldProps) {
  const { definition, path } = props;
  const [text, change] = useTypedText(path, { write, read: readJson });
  return (
    <FieldFrame {...props}>
      {({ isInvalid, ...control }) => (
        <textarea
          {...control}
          dir="ltr"
          spellCheck={false}
          rows={Math.min(text.split('\n').length, MAX_ROWS)}
          placeholder={definition.placeholder}
          className={classNames(styles.control, own.text, own.code, isInvalid && styles.invalid)}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </FieldFrame>
  );
}

function readJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const inexact = inexactNumberIn(text);
    if (inexact === undefined) return value ?? undefined;
    const message = `The number ${inexact} has more digits than can be stored. As a text, between quotation marks, it can.`;
    return new Unreadable(text, message, 'holds a number with too many digits');
  } catch (error) {
    const why = error instanceof Error ? ` ${error.message}.` : '';
    return new Unreadable(text, `This is not valid JSON.${why}`, 'is not valid JSON');
  }
}

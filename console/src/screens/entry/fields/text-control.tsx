import type { KeyboardEvent } from 'react';
import { classNames } from '../../../parts/class-names';
import styles from '../../../parts/fields/field.module.css';
import { useEditor } from '../use-editor';
import { useFieldValue } from '../use-field';
import { FieldFrame, type FieldProps } from './field-frame';
import own from './fields.module.css';

/** Texts that are at most this long are lines: `Enter` adds none. */
const LINE = 255;
const MAX_ROWS = 20;

/** A text of any length: what does not fit in a line grows. */
export function TextControl(props: FieldProps) {
  const { definition, path } = props;
  const { form } = useEditor();
  const value = useFieldValue(path);
  const text = typeof value === 'string' ? value : '';
  const isLine = !text.includes('\n') && (definition.unique === true || (definition.max ?? Infinity) <= LINE);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isLine && event.key === 'Enter' && !event.shiftKey) event.preventDefault();
  };
  return (
    <FieldFrame {...props}>
      {({ isInvalid, ...control }) => (
        <textarea
          {...control}
          dir="auto"
          rows={Math.min(text.split('\n').length, MAX_ROWS)}
          placeholder={definition.placeholder}
          className={classNames(styles.control, own.text, isInvalid && styles.invalid)}
          value={text}
          onKeyDown={onKeyDown}
          onChange={({ target }) => form.set(path, target.value === '' ? undefined : target.value)}
        />
      )}
    </FieldFrame>
  );
}

const MODES = { email: 'email', url: 'url' } as const;

/** An address. The browser's own inputs for addresses would change what they show. */
export function AddressControl(props: FieldProps) {
  const { definition, path } = props;
  const { form } = useEditor();
  const value = useFieldValue(path);
  return (
    <FieldFrame {...props}>
      {({ isInvalid, ...control }) => (
        <input
          {...control}
          dir="auto"
          type="text"
          inputMode={definition.type === 'url' ? MODES.url : MODES.email}
          autoComplete="off"
          spellCheck={false}
          placeholder={definition.placeholder}
          className={classNames(styles.control, isInvalid && styles.invalid)}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => form.set(path, target.value === '' ? undefined : target.value)}
        />
      )}
    </FieldFrame>
  );
}

import { useId, useRef } from 'react';
import { classNames } from '../../../parts/class-names';
import { FieldNotes, notesOf } from '../../../parts/fields/field-notes';
import styles from '../../../parts/fields/field.module.css';
import { labelOf } from '../../content/fields';
import { useEditor } from '../use-editor';
import { useReadOnly } from '../use-read-only';
import { useFault, useFieldValue } from '../use-field';
import { useLedFocus } from '../use-led';
import { FieldFrame, type FieldProps, RequiredMark } from './field-frame';
import { FieldGroup } from './field-group';
import own from './fields.module.css';

export function BooleanControl({ definition, path, label }: FieldProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const { form } = useEditor();
  const isReadOnly = useReadOnly();
  const value = useFieldValue(path);
  const fault = useFault(path);
  useLedFocus(path, frame);
  const notes = { ...(definition.help && { help: definition.help }), ...(fault && { error: fault.message }) };
  return (
    <div ref={frame} className={styles.check}>
      <input
        {...notesOf(id, notes)}
        id={id}
        type="checkbox"
        className={styles.box}
        checked={value === true}
        disabled={isReadOnly}
        onChange={({ target }) => form.set(path, target.checked)}
      />
      <label htmlFor={id}>
        {label ?? labelOf(definition)}
        {definition.required && <RequiredMark />}
      </label>
      <FieldNotes id={id} {...notes} />
    </div>
  );
}

/** One of the options. A value that is not among them any more is shown until another one is chosen. */
export function SelectControl(props: FieldProps) {
  const { definition, path } = props;
  const { form } = useEditor();
  const value = useFieldValue(path);
  const chosen = typeof value === 'string' ? value : '';
  const options = optionsOf(definition.options, chosen === '' ? [] : [chosen]);
  return (
    <FieldFrame {...props} isShort>
      {({ isInvalid, readOnly, ...control }) => (
        <select
          {...control}
          disabled={readOnly}
          className={classNames(styles.control, isInvalid && styles.invalid)}
          value={chosen}
          onChange={({ target }) => form.set(path, target.value === '' ? undefined : target.value)}
        >
          <option value="">{definition.placeholder ?? '—'}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

/** Several of the options, in the order in which they were chosen. */
export function MultipleSelect({ definition, path }: FieldProps) {
  const id = useId();
  const { form } = useEditor();
  const isReadOnly = useReadOnly();
  const value = useFieldValue(path);
  const chosen = Array.isArray(value) ? (value as unknown[]).filter((item) => typeof item === 'string') : [];
  const change = (option: string, isChosen: boolean) => {
    const next = isChosen ? [...chosen, option] : chosen.filter((each) => each !== option);
    form.set(path, next.length > 0 ? next : undefined);
  };
  return (
    <FieldGroup definition={definition} path={path}>
      <div className={own.options}>
        {optionsOf(definition.options, chosen).map((option, index) => (
          <div key={option} className={styles.check}>
            <input
              id={`${id}-${index}`}
              type="checkbox"
              className={styles.box}
              checked={chosen.includes(option)}
              disabled={isReadOnly}
              onChange={({ target }) => change(option, target.checked)}
            />
            <label htmlFor={`${id}-${index}`} dir="auto">
              {option}
            </label>
          </div>
        ))}
      </div>
    </FieldGroup>
  );
}

function optionsOf(options: readonly string[] = [], chosen: readonly string[]): readonly string[] {
  return [...options, ...chosen.filter((option) => !options.includes(option))];
}

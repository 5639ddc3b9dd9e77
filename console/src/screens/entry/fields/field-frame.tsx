import { type ReactNode, useId, useRef } from 'react';
import type { FieldDefinition } from '../../../api/content-types';
import { FieldNotes, notesOf } from '../../../parts/fields/field-notes';
import styles from '../../../parts/fields/field.module.css';
import { labelOf } from '../../content/fields';
import { useReadOnly } from '../use-read-only';
import { useFault } from '../use-field';
import { useLedFocus } from '../use-led';
import own from './fields.module.css';

/** What every field is drawn with. */
export interface FieldProps {
  definition: FieldDefinition;
  /** Where the value is: `sections.2.title`. */
  path: string;
  /** In a list, the label of which the number of the value is a part. */
  label?: string;
}

/** Attributes of the control inside a frame. The label's ID is that of the control, with `-label`. */
export interface ControlAttributes {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
  'aria-required': true | undefined;
  readOnly: boolean;
  isInvalid: boolean;
}

interface FieldFrameProps extends FieldProps {
  /** A number or a word needs less space. */
  isShort?: boolean;
  children: (control: ControlAttributes) => ReactNode;
}

/** The label, what is wrong with the value, and the help around a control. */
export function FieldFrame({ definition, path, label, isShort, children }: FieldFrameProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const isReadOnly = useReadOnly();
  const fault = useFault(path);
  useLedFocus(path, frame);
  // In a list, the help stands once, above all values.
  const notes = { help: label === undefined ? definition.help : undefined, error: fault?.message };
  return (
    <div ref={frame} className={isShort ? own.short : own.field}>
      <label id={`${id}-label`} className={label === undefined ? styles.label : own.hidden} htmlFor={id}>
        {label ?? labelOf(definition)}
        {label === undefined && definition.required && <RequiredMark />}
      </label>
      {children({
        ...notesOf(id, withoutAbsent(notes)),
        ...{ id, readOnly: isReadOnly, isInvalid: fault !== undefined },
        'aria-required': definition.required || undefined,
      })}
      <FieldNotes id={id} {...withoutAbsent(notes)} />
    </div>
  );
}

/** Said to screen readers by `aria-required`. */
export function RequiredMark() {
  return (
    <span aria-hidden className={own.mark}>
      Required
    </span>
  );
}

function withoutAbsent({ help, error }: { help: string | undefined; error: string | undefined }) {
  return { ...(help !== undefined && { help }), ...(error !== undefined && { error }) };
}

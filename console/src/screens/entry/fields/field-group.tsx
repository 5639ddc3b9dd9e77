import { type ReactNode, useId, useRef } from 'react';
import type { FieldDefinition } from '../../../api/content-types';
import styles from '../../../parts/fields/field.module.css';
import { labelOf } from '../../content/fields';
import { useFault } from '../use-field';
import { useLedFocus } from '../use-led';
import { RequiredMark } from './field-frame';
import own from './field-group.module.css';

interface FieldGroupProps {
  definition: FieldDefinition;
  path: string;
  /** What is inside is set off from what is around it. */
  isFramed?: boolean;
  children: ReactNode;
}

/** Several controls that are one field. */
export function FieldGroup({ definition, path, isFramed, children }: FieldGroupProps) {
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  const fault = useFault(path);
  useLedFocus(path, group);
  const notes = [fault && `${id}-error`, definition.help && `${id}-help`].filter(Boolean).join(' ');
  return (
    <div
      ref={group}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={notes || undefined}
      className={own.group}
    >
      <div>
        <span id={`${id}-label`} className={styles.label} dir="auto">
          {labelOf(definition)}
        </span>
        {definition.required && <RequiredMark />}
        {definition.help !== undefined && (
          <p id={`${id}-help`} className={styles.help}>
            {definition.help}
          </p>
        )}
        {fault && (
          <p id={`${id}-error`} className={styles.error}>
            {fault.message}
          </p>
        )}
      </div>
      <div className={isFramed ? own.framed : own.content}>{children}</div>
    </div>
  );
}

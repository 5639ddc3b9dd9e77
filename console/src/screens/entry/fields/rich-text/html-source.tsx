import type { FieldDefinition } from '../../../../api/content-types';
import { classNames } from '../../../../parts/class-names';
import styles from '../../../../parts/fields/field.module.css';
import { useEditor } from '../../use-editor';
import { useFieldValue } from '../../use-field';
import type { ControlAttributes } from '../field-frame';
import own from '../fields.module.css';

export interface RichTextProps {
  control: ControlAttributes;
  definition: FieldDefinition;
  path: string;
}

const MAX_ROWS = 20;

/** HTML as it is stored. */
export function HtmlSource({ control, definition, path }: RichTextProps) {
  const { form } = useEditor();
  const value = useFieldValue(path);
  const html = typeof value === 'string' ? value : '';
  const { isInvalid, ...attributes } = control;
  return (
    <textarea
      {...attributes}
      dir="auto"
      spellCheck={false}
      rows={Math.min(html.split('\n').length + 2, MAX_ROWS)}
      placeholder={definition.placeholder}
      className={classNames(styles.control, own.text, own.code, isInvalid && styles.invalid)}
      value={html}
      onChange={({ target }) => form.set(path, target.value === '' ? undefined : target.value)}
    />
  );
}

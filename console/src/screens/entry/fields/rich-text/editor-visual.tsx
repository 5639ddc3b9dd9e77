import { Editor } from '@tiptap/core';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../../../../parts/class-names';
import { useEditor } from '../../use-editor';
import { EXTENSIONS } from './editor-html';
import styles from './editor.module.css';
import { EditorToolbar } from './editor-toolbar';
import type { RichTextProps } from './html-source';

/** Writes rich text as it will look. */
export function VisualEditor({ control, definition, path, html }: RichTextProps & { html: string }) {
  const { form } = useEditor();
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  /** The HTML that the editor shows: another value of the form replaces it. */
  const shown = useRef(html);
  const attributes = attributesOf(control);
  const isEditable = !control.readOnly;
  useEffect(() => {
    const made = new Editor({
      element: place.current,
      extensions: EXTENSIONS,
      content: shown.current,
      // The content security policy allows no inline style.
      injectCSS: false,
      onUpdate: ({ editor: self }) => {
        shown.current = self.isEmpty ? '' : self.getHTML();
        form.set(path, shown.current === '' ? undefined : shown.current);
      },
    });
    setEditor(made);
    return () => made.destroy();
  }, [form, path]);
  useEffect(() => {
    // What was typed since this was drawn stays: the form has it, and draws again.
    if (!editor || shown.current === html || (form.at(path) ?? '') !== html) return;
    shown.current = html;
    editor.commands.setContent(html, { emitUpdate: false });
  }, [editor, form, path, html]);
  const described = JSON.stringify(attributes);
  useEffect(() => {
    editor?.setOptions({
      editable: isEditable,
      editorProps: { attributes: JSON.parse(described) as Record<string, string> },
    });
  }, [editor, isEditable, described]);
  return (
    <div className={classNames(styles.editor, control.isInvalid && styles.invalid)}>
      {editor && isEditable && <EditorToolbar editor={editor} label={definition.label ?? definition.name} />}
      <div ref={place} className={styles.page} dir="auto" />
    </div>
  );
}

/** The attributes of what is written in. */
function attributesOf({ id, ...control }: RichTextProps['control']): Record<string, string> {
  return {
    id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': `${id}-label`,
    ...(control['aria-describedby'] && { 'aria-describedby': control['aria-describedby'] }),
    ...(control['aria-invalid'] && { 'aria-invalid': 'true' }),
    ...(control['aria-required'] && { 'aria-required': 'true' }),
    ...(control.readOnly && { 'aria-readonly': 'true', tabindex: '0' }),
  };
}

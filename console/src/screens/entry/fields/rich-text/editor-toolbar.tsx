import { Toolbar } from '@base-ui/react/toolbar';
import type { Editor } from '@tiptap/core';
import { useEffect, useState } from 'react';
import { may } from '../../../../session/rights';
import { useTenant } from '../../../../shell/tenant';
import { LinkDialog } from './editor-link-dialog';
import styles from './editor.module.css';
import MediaDialog from '../media-dialog';

interface Tool {
  readonly name: string;
  /** What the button shows. */
  readonly face: string;
  readonly isOn?: (editor: Editor) => boolean;
  readonly run: (editor: Editor) => void;
}

const TOOLS: readonly (readonly Tool[])[] = [
  [
    { name: 'Bold', face: 'B', isOn: (e) => e.isActive('bold'), run: (e) => e.chain().focus().toggleBold().run() },
    {
      name: 'Italic',
      face: 'I',
      isOn: (e) => e.isActive('italic'),
      run: (e) => e.chain().focus().toggleItalic().run(),
    },
    { name: 'Code', face: '‹›', isOn: (e) => e.isActive('code'), run: (e) => e.chain().focus().toggleCode().run() },
  ],
  [
    ...([2, 3] as const).map((level) => ({
      name: `Heading ${level}`,
      face: `H${level}`,
      isOn: (e: Editor) => e.isActive('heading', { level }),
      run: (e: Editor) => e.chain().focus().toggleHeading({ level }).run(),
    })),
    {
      name: 'Bulleted list',
      face: '•',
      isOn: (e) => e.isActive('bulletList'),
      run: (e) => e.chain().focus().toggleBulletList().run(),
    },
    {
      name: 'Numbered list',
      face: '1.',
      isOn: (e) => e.isActive('orderedList'),
      run: (e) => e.chain().focus().toggleOrderedList().run(),
    },
    {
      name: 'Quote',
      face: '“',
      isOn: (e) => e.isActive('blockquote'),
      run: (e) => e.chain().focus().toggleBlockquote().run(),
    },
  ],
  [
    { name: 'Undo', face: '↶', run: (e) => e.chain().focus().undo().run() },
    { name: 'Redo', face: '↷', run: (e) => e.chain().focus().redo().run() },
  ],
];

/** What can be done with the text. One stop for `Tab`; the arrows move in it. */
export function EditorToolbar({ editor, label }: { editor: Editor; label: string }) {
  const tenant = useTenant();
  const [asked, setAsked] = useState<'link' | 'picture'>();
  useTransactions(editor);
  const close = () => setAsked(undefined);
  return (
    <Toolbar.Root className={styles.toolbar} aria-label={`Format ${label}`}>
      {TOOLS.map((tools, index) => (
        <Toolbar.Group key={index} className={styles.tools}>
          {tools.map(({ name, face, isOn, run }) => (
            <Toolbar.Button
              key={name}
              className={styles.tool}
              aria-label={name}
              title={name}
              aria-pressed={isOn?.(editor)}
              // What is typed next belongs in the text at once: Tiptap's own focus waits for the next frame.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                editor.view.focus();
                run(editor);
              }}
            >
              <span data-face={face} />
            </Toolbar.Button>
          ))}
        </Toolbar.Group>
      ))}
      <Toolbar.Group className={styles.tools}>
        <Toolbar.Button className={styles.word} aria-pressed={editor.isActive('link')} onClick={() => setAsked('link')}>
          Link
        </Toolbar.Button>
        {may(tenant, 'media:read') && (
          <Toolbar.Button className={styles.word} onClick={() => setAsked('picture')}>
            Picture
          </Toolbar.Button>
        )}
      </Toolbar.Group>
      {asked === 'link' && <LinkDialog editor={editor} onClose={close} />}
      {asked === 'picture' && (
        <MediaDialog
          onChoose={({ url, alt }) => {
            close();
            editor.chain().focus().setImage({ src: url, alt }).run();
          }}
          onClose={close}
        />
      )}
    </Toolbar.Root>
  );
}

/** Draws again what depends on where the cursor is. */
function useTransactions(editor: Editor): void {
  const [, draw] = useState(0);
  useEffect(() => {
    const onTransaction = () => draw((count) => count + 1);
    editor.on('transaction', onTransaction);
    return () => void editor.off('transaction', onTransaction);
  }, [editor]);
}

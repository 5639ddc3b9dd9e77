import { useState } from 'react';
import { Button } from '../../../../parts/button';
import { labelOf } from '../../../content/fields';
import { useReadOnly } from '../../use-read-only';
import { useFieldValue } from '../../use-field';
import { isKept } from './editor-html';
import styles from './editor.module.css';
import { VisualEditor } from './editor-visual';
import { HtmlSource, type RichTextProps } from './html-source';

type Mode = 'visual' | 'source' | 'preview';

/**
 * Rich text in an editor, or as its HTML. What the editor would write differently is shown as HTML, because the service promises each byte: the
 * editor changes it only if the person opens it there and writes.
 */
export default function RichText(props: RichTextProps) {
  const { definition, path, control } = props;
  const isReadOnly = useReadOnly();
  const value = useFieldValue(path);
  const html = typeof value === 'string' ? value : '';
  const [isFaithful] = useState(() => isKept(html));
  const [mode, setMode] = useState<Mode>(isFaithful ? 'visual' : 'source');
  const modes = { visual: 'Editor', source: 'HTML', preview: 'As shown' } as const;
  return (
    <div className={styles.rich}>
      {!isFaithful && !isReadOnly && mode === 'source' && (
        <p className={styles.notice}>
          This text is shown as HTML, because the editor would write it differently. It stays as it is until you change
          it.
        </p>
      )}
      {mode === 'visual' && <VisualEditor {...props} html={html} />}
      {mode === 'source' && <HtmlSource {...props} />}
      {mode === 'preview' && (
        // Without scripts, and without the origin of the console.
        <iframe
          id={control.id}
          className={styles.preview}
          sandbox=""
          srcDoc={html}
          title={`${labelOf(definition)} as shown`}
          referrerPolicy="no-referrer"
        />
      )}
      <div className={styles.modes} role="group" aria-label={`Show ${labelOf(definition)} as`}>
        {(['visual', 'source', 'preview'] as const).map((each) => (
          <Button
            key={each}
            look="quiet"
            className={styles.mode}
            aria-pressed={mode === each}
            onClick={() => setMode(each)}
          >
            {modes[each]}
          </Button>
        ))}
      </div>
    </div>
  );
}

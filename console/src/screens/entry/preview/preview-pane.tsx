import { type ReactNode, useState } from 'react';
import type { ContentType } from '../../../api/content-types';
import type { Entry } from '../../../api/entries';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { useTenant } from '../../../shell/tenant';
import { useAddress } from '../use-address';
import { useEditor, useEditorState } from '../use-editor';
import styles from './preview.module.css';
import { needsToken, previewAddress } from './preview-address';
import { PreviewBar } from './preview-bar';
import { SiteFrame } from './site-frame';
import { usePreview } from './use-preview';
import { usePreviewToken } from './use-preview-link';

interface PreviewPaneProps {
  type: ContentType;
  template: string;
}

/** The site beside the form, or why it is not shown. */
export default function PreviewPane({ type, template }: PreviewPaneProps) {
  const { entry } = useEditorState(useEditor());
  if (entry) return <SitePane key={entry.id} {...{ type, template, entry }} />;
  return (
    <Pane bar={<PreviewBar />}>
      <p className={styles.note}>Write something. The site shows the entry as soon as it is saved.</p>
    </Pane>
  );
}

function SitePane({ type, template, entry }: PreviewPaneProps & { entry: Entry }) {
  const editor = useEditor();
  const { draft } = useEditorState(editor);
  const { width } = usePreview();
  const [turn, setTurn] = useState(0);
  const [refused, setRefused] = useState<string>();
  const isTokenNeeded = needsToken(template);
  const token = usePreviewToken(useAddress({ type, entry }), isTokenNeeded);
  const address = previewAddress(template, type, draft?.fields ?? entry.fields, token.data);
  const isWaiting = isTokenNeeded && token.data === undefined;
  const url = 'url' in address && !isWaiting ? address.url : undefined;
  const reload = () => {
    setRefused(undefined);
    setTurn(turn + 1);
  };
  return (
    <Pane bar={<PreviewBar url={url} onReload={reload} />}>
      {'missing' in address ? (
        <p className={styles.note}>
          <span>
            The address of the site needs a value of <strong dir="auto">{address.missing.join(', ')}</strong>. Once it
            is saved, the site is shown.
          </span>
        </p>
      ) : (
        <>
          <ProblemMessage error={token.error} onRetry={() => void token.refetch()} />
          {isWaiting && !token.error && <Loading />}
          {refused !== undefined && <Refused origin={refused} />}
          {url !== undefined && refused === undefined && (
            <SiteFrame
              url={url}
              width={width}
              // Each save shows the site anew.
              turn={`${turn} ${editor.tagOf('live')} ${editor.tagOf('draft')}`}
              onRefused={setRefused}
            />
          )}
        </>
      )}
    </Pane>
  );
}

function Pane({ bar, children }: { bar: ReactNode; children: ReactNode }) {
  return (
    <section aria-label="Live preview" className={styles.pane}>
      {bar}
      {children}
    </section>
  );
}

/** Why the site is not shown, and who may change that. */
function Refused({ origin }: { origin: string }) {
  const { id, name } = useTenant();
  return (
    <div role="alert" className={styles.note}>
      <h2>This site may not be shown here</h2>
      <p>
        The live preview shows only sites whose origin is among the allowed origins of <bdi>{name}</bdi>.{' '}
        {origin === '' ? 'This address' : <code>{origin}</code>} is not.
      </p>
      <p>
        An operator of the service can add it to <code>allowed_origins</code> of the tenant <code>{id}</code>, in the
        configuration (<code>TENANTS</code>). Until then, you can open the site in a new tab.
      </p>
    </div>
  );
}

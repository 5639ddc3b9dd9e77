import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Page } from '../../parts/page';
import layout from '../../lists/list-layout.module.css';
import { may } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { FileDialog } from './file/file-dialog';
import styles from './media.module.css';
import { useMediaState } from './media-address';
import { MediaGrid } from './media-grid';
import { MediaToolbar } from './media-toolbar';
import { UploadFiles } from './upload-button';
import { startUploads } from './upload-work';
import { useDroppedFiles } from './use-dropped-files';
import { useMedia } from './use-media';

/** The files of a tenant. */
export default function Media() {
  const tenant = useTenant();
  const client = useQueryClient();
  const [state, change] = useMediaState();
  const media = useMedia(state);
  const mayUpload = may(tenant, 'media:write');
  const upload = useCallback((files: readonly File[]) => startUploads(client, tenant.id, files), [client, tenant.id]);
  const isOver = useDroppedFiles(mayUpload, upload);
  return (
    <Page
      title="Media"
      about={mayUpload ? 'Upload files, drop them anywhere on this page, or paste them.' : 'The files of entries.'}
      actions={mayUpload && <UploadFiles onFiles={upload} />}
      isWide
    >
      <div className={layout.list}>
        <MediaToolbar state={state} onChange={change} />
        <MediaGrid media={media} state={state} onChange={change} />
      </div>
      {state.file !== '' && (
        <FileDialog key={state.file} id={state.file} onClose={() => change({ file: '' }, { replace: true })} />
      )}
      {isOver && <p className={styles.over}>Drop the files to upload them.</p>}
    </Page>
  );
}

import { useState } from 'react';
import type { MediaFile } from '../../../api/media';
import { Button } from '../../../parts/button';
import { CopyButton } from '../../../parts/copying/copy-button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { Facts } from '../../../parts/facts';
import { bytesInWords, countInWords } from '../../../parts/numbers';
import { When } from '../../../parts/when';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { Thumbnail } from '../thumbnail';
import { AltField } from './alt-field';
import { DeleteFile } from './delete-file';
import { startDownload } from './download-work';
import styles from './file.module.css';
import { FileUses } from './file-uses';
import { useAlt } from './use-alt';

/** The pixels of each side of the preview, on screens with two for each. */
const SIDE = 1280;

/** What there is to know about a file, and to do with it. Closing saves what was typed. */
export function FileView({ file, onClose }: { file: MediaFile; onClose: () => void }) {
  const tenant = useTenant();
  const alt = useAlt(file);
  const [isDeleting, setDeleting] = useState(false);
  const close = () => alt.save(onClose);
  const mayWrite = may(tenant, 'media:write');
  return (
    <Dialog title={file.filename} isOpen isWide onClose={close}>
      <div className={styles.columns}>
        <div className={styles.preview}>
          <Thumbnail file={file} side={SIDE} fit="inside" />
        </div>
        <div className={styles.text}>
          <AltField alt={alt} isReadOnly={!mayWrite} />
          <FileFacts file={file} />
          <div className={styles.buttons}>
            <a className={styles.open} href={file.url} target="_blank" rel="noreferrer">
              Open
            </a>
            <Button onClick={() => startDownload(tenant.id, file)}>Download</Button>
            <CopyButton label="Copy URL" text={file.url} done="The URL was copied." />
          </div>
          <FileUses id={file.id} />
        </div>
      </div>
      <DialogButtons>
        <Button onClick={close}>Close</Button>
        {mayWrite && (
          <Button look="quiet" className={styles.delete} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )}
      </DialogButtons>
      {isDeleting && <DeleteFile file={file} onDone={onClose} onClose={() => setDeleting(false)} />}
    </Dialog>
  );
}

function FileFacts({ file: { mime_type: type, size, width, height, created_at: at } }: { file: MediaFile }) {
  const pixels = width !== undefined && height !== undefined && `${countInWords(width)} × ${countInWords(height)}`;
  return (
    <Facts
      facts={[
        ['Type', type],
        ['Size', bytesInWords(size)],
        ...(pixels ? [['Pixels', pixels] as const] : []),
        ['Uploaded', <When key="at" time={at} />],
      ]}
    />
  );
}

import { useState } from 'react';
import type { MediaFile } from '../../api/media';
import { isPicture, typeInWords } from '../../media/kinds';
import { ownFile, Picture } from '../../media/picture';
import { useTenant } from '../../shell/tenant';
import styles from './thumbnail.module.css';

interface ThumbnailProps {
  file: MediaFile;
  /** The pixels of each side. */
  side: number;
  fit: 'cover' | 'inside';
}

/** A copy of the picture. Everything else is an icon with its type: no file is shown that may hold code. */
export function Thumbnail({ file, side, fit }: ThumbnailProps) {
  const { id: tenantId } = useTenant();
  const [hasFailed, setFailed] = useState(false);
  const own = ownFile(file.url, tenantId);
  if (own && isPicture(file) && !hasFailed) {
    return <Picture file={own} side={side} fit={fit} className={styles[fit]} onError={() => setFailed(true)} />;
  }
  return (
    <span className={styles.icon} aria-hidden="true">
      <svg viewBox="0 0 32 32">
        <path d="M8 3.5h11l6 6v19H8zM19 3.5v6h6" />
      </svg>
      {typeInWords(file.mime_type)}
    </span>
  );
}

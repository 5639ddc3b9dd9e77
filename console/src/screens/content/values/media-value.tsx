import { useState } from 'react';
import { ownFile, Picture } from '../../../media/picture';
import { useTenant } from '../../../shell/tenant';
import { shortened } from './short-text';
import styles from './value-cell.module.css';

/** The pixels of each side, for screens with two for each. */
const SIDE = 64;

/** A small picture, or a larger one that is not cut, with its alternative text. What is not a picture of this service is its text, or its address. */
export function MediaValue({ value, side = SIDE }: { value: unknown; side?: number }) {
  const { id: tenantId } = useTenant();
  const [hasFailed, setFailed] = useState(false);
  const { url, alt } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof url !== 'string') return null;
  const file = hasFailed ? undefined : ownFile(url, tenantId);
  const words = typeof alt === 'string' ? shortened(alt) : '';
  return (
    <>
      {file && (
        <Picture
          file={file}
          side={side}
          fit={side === SIDE ? 'cover' : 'inside'}
          className={styles.picture}
          onError={() => setFailed(true)}
        />
      )}
      <span className={styles.words} dir="auto">
        {words || (file ? '' : shortened(url))}
      </span>
    </>
  );
}

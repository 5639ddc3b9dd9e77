import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { type MediaFile, uploadMedia } from '../../../api/media';
import { Button } from '../../../parts/button';
import { classNames } from '../../../parts/class-names';
import styles from '../../../parts/fields/field.module.css';
import { ProblemMessage } from '../../../parts/problem-message';
import { useTenant } from '../../../shell/tenant';
import own from './media.module.css';

/** Uploads a file in place. */
export function UploadButton({ onUploaded }: { onUploaded: (file: MediaFile) => void }) {
  const id = useId();
  const tenant = useTenant();
  const [share, setShare] = useState(0);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (file: File) => {
      running.current = new AbortController();
      setShare(0);
      return uploadMedia(tenant.id, { file, signal: running.current.signal, onProgress: setShare });
    },
    onSuccess: onUploaded,
  });
  const cancel = () => {
    running.current?.abort();
    reset();
  };
  return (
    <div className={own.upload}>
      <label htmlFor={id} className={styles.label}>
        Upload
      </label>
      {isPending ? (
        <div className={own.buttons}>
          <progress aria-label="Upload" value={share} max={1} />
          <Button onClick={cancel}>Cancel</Button>
        </div>
      ) : (
        <input
          id={id}
          type="file"
          className={classNames(styles.control, styles.file)}
          onChange={({ target }) => target.files?.[0] && mutate(target.files[0])}
        />
      )}
      <ProblemMessage error={error} />
    </div>
  );
}

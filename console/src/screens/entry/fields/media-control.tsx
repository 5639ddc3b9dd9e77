import { lazy, Suspense, useId, useRef, useState } from 'react';
import { Button } from '../../../parts/button';
import styles from '../../../parts/fields/field.module.css';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { labelOf } from '../../content/fields';
import { MediaValue } from '../../content/values/media-value';
import { isRecord } from '../model/values';
import { useEditor } from '../use-editor';
import { useReadOnly } from '../use-read-only';
import { useFault, useFieldValue } from '../use-field';
import { useLedFocus } from '../use-led';
import { type FieldProps, RequiredMark } from './field-frame';
import own from './media.module.css';

/** Loaded when somebody chooses a file. */
const MediaDialog = lazy(() => import('./media-dialog'));

/** A picture or another file, with the text that stands for it. */
export function MediaControl({ definition, path, label }: FieldProps) {
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  const tenant = useTenant();
  const { form } = useEditor();
  const isReadOnly = useReadOnly();
  const value = useFieldValue(path);
  const fault = useFault(path);
  const [isChoosing, setChoosing] = useState(false);
  useLedFocus(path, group);
  const media = isRecord(value) ? value : undefined;
  const mayChoose = !isReadOnly && may(tenant, 'media:read');
  return (
    <div ref={group} role="group" aria-labelledby={`${id}-label`} className={own.media}>
      <div>
        <span id={`${id}-label`} className={styles.label} dir="auto">
          {label ?? labelOf(definition)}
        </span>
        {label === undefined && definition.required && <RequiredMark />}
        {label === undefined && definition.help !== undefined && <p className={styles.help}>{definition.help}</p>}
        {fault && <p className={styles.error}>{fault.message}</p>}
      </div>
      {media && (
        <div className={own.chosen}>
          <div className={own.picture}>
            <MediaValue value={media} side={240} />
          </div>
          <div className={styles.field}>
            <label htmlFor={`${id}-alt`} className={styles.label}>
              Alternative text
            </label>
            <input
              id={`${id}-alt`}
              type="text"
              dir="auto"
              readOnly={isReadOnly}
              aria-describedby={`${id}-help`}
              className={styles.control}
              value={typeof media['alt'] === 'string' ? media['alt'] : ''}
              onChange={({ target }) => form.set(path, { ...media, alt: target.value })}
            />
            <p id={`${id}-help`} className={styles.help}>
              What the picture shows, for those who do not see it.
            </p>
          </div>
        </div>
      )}
      {!isReadOnly && (
        <div className={own.buttons}>
          {mayChoose && (
            <Button onClick={() => setChoosing(true)}>{media ? 'Choose another file' : 'Choose a file'}</Button>
          )}
          {media && (
            <Button look="quiet" onClick={() => form.set(path, undefined)}>
              Remove the file
            </Button>
          )}
        </div>
      )}
      {isChoosing && (
        <Suspense>
          <MediaDialog
            onChoose={({ url, alt }) => {
              form.set(path, { url, alt });
              setChoosing(false);
            }}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

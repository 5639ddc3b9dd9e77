import { lazy, Suspense } from 'react';
import { HtmlSource } from './html-source';
import { FieldFrame, type FieldProps } from '../field-frame';

const RichText = lazy(() => import('./editor-rich-text'));

/** HTML. The editor for it is loaded where there is one; until then its source can be read. */
export function RichTextControl(props: FieldProps) {
  const { definition, path } = props;
  return (
    <FieldFrame {...props}>
      {(control) => (
        <Suspense
          fallback={<HtmlSource control={{ ...control, readOnly: true }} definition={definition} path={path} />}
        >
          <RichText control={control} definition={definition} path={path} />
        </Suspense>
      )}
    </FieldFrame>
  );
}

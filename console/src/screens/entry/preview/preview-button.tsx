import { Button } from '../../../parts/button';
import type { ContentType } from '../../../api/content-types';
import type { Entry } from '../../../api/entries';
import { PreviewInTab } from './preview-in-tab';
import { useHasSpace } from './use-has-space';
import { usePreview } from './use-preview';

/** Shows the entry on its site, beside the form; without an address of a site, as a page of its own. */
export function PreviewButton({ type, entry }: { type: ContentType; entry: Entry | undefined }) {
  const { template, isOpen, view, button, open, close, show } = usePreview();
  const hasSpace = useHasSpace();
  if (template === undefined) return entry && <PreviewInTab type={type} entry={entry} />;
  const isShown = isOpen && (hasSpace || view === 'site');
  const press = () => {
    if (isShown) close();
    else if (isOpen) show('site');
    else open();
  };
  return (
    <Button ref={button} aria-pressed={isShown} onClick={press}>
      Preview
    </Button>
  );
}

import { useMutation } from '@tanstack/react-query';
import { createPreviewLink } from '../../../api/entry-parts/preview-link';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { ProblemMessage } from '../../../parts/problem-message';
import { type OfEntry, useAddress } from '../use-address';
import { useEditor } from '../use-editor';

/** Shows the entry with its draft in a tab of its own. What was typed is saved before. */
export function PreviewInTab({ type, entry }: OfEntry) {
  const address = useAddress({ type, entry });
  const editor = useEditor();
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: async (tab: Window | null) => {
      try {
        if (!(await editor.save())) throw new Error('What you wrote could not be saved, so it cannot be shown yet.');
        const url = await createPreviewLink(address);
        if (!tab || tab.closed)
          throw new Error('The browser does not let this page open a tab. Allow it, and try again.');
        tab.location.replace(url);
      } catch (failure) {
        tab?.close();
        throw failure;
      }
    },
  });
  // Browsers open a tab only while they handle the click.
  const open = () => {
    const tab = window.open('', '_blank');
    if (tab) tab.opener = null;
    mutate(tab);
  };
  return (
    <>
      <Button isBusy={isPending} onClick={open}>
        Preview
      </Button>
      {error && (
        <Dialog title="The preview did not open" isOpen onClose={reset}>
          <ProblemMessage error={error} />
          <DialogButtons>
            <Button look="primary" onClick={open}>
              Try again
            </Button>
            <Button onClick={reset}>Close</Button>
          </DialogButtons>
        </Dialog>
      )}
    </>
  );
}

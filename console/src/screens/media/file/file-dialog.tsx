import { useQuery } from '@tanstack/react-query';
import { getMedia } from '../../../api/media';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { useTenant } from '../../../shell/tenant';
import { fileKey } from '../keys';
import { FileView } from './file-view';

interface FileDialogProps {
  id: string;
  onClose: () => void;
}

/** One file, over the list that it was opened from. */
export function FileDialog({ id, onClose }: FileDialogProps) {
  const { id: tenantId } = useTenant();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: fileKey(tenantId, id),
    queryFn: ({ signal }) => getMedia(tenantId, id, signal),
  });
  if (data) return <FileView file={data} onClose={onClose} />;
  return (
    <Dialog title="File" isOpen isWide onClose={onClose}>
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  );
}

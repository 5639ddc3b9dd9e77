import { useQuery, useQueryClient } from '@tanstack/react-query';
import { countMediaUses, deleteMedia, type MediaFile } from '../../../api/media';
import { Confirm } from '../../../parts/confirm';
import { countedAs } from '../../../parts/numbers';
import { say } from '../../../parts/status';
import { useTenant } from '../../../shell/tenant';
import { fileKey, mediaListKey, usesKey } from '../keys';

interface DeleteFileProps {
  file: MediaFile;
  onDone: () => void;
  onClose: () => void;
}

/** The service refuses to delete a file that entries use, unless the person has seen how many do. */
export function DeleteFile({ file: { id, filename }, onDone, onClose }: DeleteFileProps) {
  const { id: tenantId } = useTenant();
  const client = useQueryClient();
  const { data: uses, refetch } = useQuery({
    queryKey: [...usesKey(tenantId, id), 'count'],
    queryFn: ({ signal }) => countMediaUses(tenantId, id, signal),
    staleTime: 0,
  });
  const isUsed = uses !== undefined && uses.total > 0;
  const remove = async () => {
    try {
      await deleteMedia(tenantId, id, isUsed);
    } catch (error) {
      // Somebody may use it since then.
      void refetch();
      throw error;
    }
  };
  return (
    <Confirm
      title={`Delete ${filename}?`}
      action={isUsed ? 'Delete although it is used' : 'Delete the file'}
      onConfirm={remove}
      onDone={() => {
        say(`${filename} was deleted.`);
        onDone();
        client.removeQueries({ queryKey: fileKey(tenantId, id) });
        void client.invalidateQueries({ queryKey: mediaListKey(tenantId) });
      }}
      onClose={onClose}
    >
      {isUsed && `${usersInWords(uses)} it, and would show a file that is gone. `}
      Its URL stops working everywhere. It cannot be undone.
    </Confirm>
  );
}

/** Beyond a page of uses, the number of entries is not known, and that of places is. */
function usersInWords({ total, entries }: { readonly total: number; readonly entries: number }): string {
  if (total > 100) return `${countedAs(total, 'field', 'fields')} of entries use`;
  return `${countedAs(entries, 'entry', 'entries')} ${entries === 1 ? 'uses' : 'use'}`;
}

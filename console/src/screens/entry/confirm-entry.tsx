import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { ContentType } from '../../api/content-types';
import { countReferrers, type Entry } from '../../api/entries';
import { Confirm } from '../../parts/confirm';
import { countedAs } from '../../parts/numbers';
import { say } from '../../parts/status';
import { useTenant } from '../../shell/tenant';
import { titleField, titleOf } from '../content/entry-title';
import { useEditor } from './use-editor';

interface ConfirmEntryProps {
  type: ContentType;
  entry: Entry;
  onClose: () => void;
}

/** Asks before an entry is unpublished or deleted. */
export default function ConfirmEntry({ what, ...props }: ConfirmEntryProps & { what: 'unpublish' | 'delete' }) {
  return what === 'unpublish' ? <UnpublishEntry {...props} /> : <DeleteEntry {...props} />;
}

function UnpublishEntry({ type, entry, onClose }: ConfirmEntryProps) {
  const editor = useEditor();
  return (
    <Confirm
      title={`Unpublish ${nameOf(type, entry)}?`}
      action="Unpublish"
      look="primary"
      onConfirm={() => editor.unpublish()}
      onDone={() => undefined}
      onClose={onClose}
    >
      It is not public any more. What was written stays. {useReferrers(entry)}
    </Confirm>
  );
}

function DeleteEntry({ type, entry, onClose }: ConfirmEntryProps) {
  const editor = useEditor();
  const [, navigate] = useLocation();
  const done = () => {
    navigate(`/content/${type.slug}`);
    say('The entry was deleted.');
  };
  return (
    <Confirm
      title={`Delete ${nameOf(type, entry)}?`}
      action="Delete"
      onConfirm={() => editor.delete()}
      onDone={done}
      onClose={onClose}
    >
      {entry.status === 'published' && 'It is published. '}
      {useReferrers(entry)} This cannot be undone.
    </Confirm>
  );
}

/** How many entries would refer to what is not there. */
function useReferrers(entry: Entry): string {
  const { id } = useTenant();
  const { data = 0 } = useQuery({
    queryKey: [id, 'referrers', [entry.id]],
    queryFn: ({ signal }) => countReferrers(id, entry, signal),
    staleTime: 0,
  });
  if (data === 0) return '';
  return `${countedAs(data, 'reference')} ${data === 1 ? 'leads' : 'lead'} to it.`;
}

function nameOf(type: ContentType, entry: Entry): string {
  return titleOf(titleField(type), entry);
}

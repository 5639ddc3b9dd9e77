import { useContext } from 'react';
import type { Entry } from '../../api/entries';
import { Badge } from '../../parts/badge';
import { EntryFactsContext } from './entry-facts';

/** Whether an entry is published, and whether changes wait beside it. */
export function EntryState({ entry: { id, status } }: { entry: Pick<Entry, 'id' | 'status'> }) {
  const { drafted } = useContext(EntryFactsContext);
  if (status === 'draft') return <Badge look="quiet">Draft</Badge>;
  return <Badge>{drafted.has(id) ? 'Published, with changes' : 'Published'}</Badge>;
}

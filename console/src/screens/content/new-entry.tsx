import { useLocation } from 'wouter';
import type { ContentType } from '../../api/content-types';
import { Button } from '../../parts/button';

/** Opens the form of a new entry. Nothing is stored before it is filled in. */
export function NewEntry({ type }: { type: ContentType }) {
  const [, navigate] = useLocation();
  return (
    <Button look="primary" onClick={() => navigate(`/content/${type.slug}/new`)}>
      New entry
    </Button>
  );
}

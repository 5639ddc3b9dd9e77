import { useQuery } from '@tanstack/react-query';
import { getMediaName } from '../../../../api/media-names';
import { may } from '../../../../session/rights';
import { useTenant } from '../../../../shell/tenant';
import { MediaValue } from '../../../content/values/media-value';
import styles from './changes.module.css';

/** A file of this service by its ID, at the end of its address. */
const FILE = /\/(med_\w+)(?:\.\w+)?$/;

/** A picture with its alternative text, and what its file is called. */
export function ShownMedia({ value }: { value: Readonly<Record<string, unknown>> }) {
  const tenant = useTenant();
  const url = typeof value.url === 'string' ? value.url : '';
  const id = FILE.exec(url)?.[1];
  const { data: name } = useQuery({
    queryKey: [tenant.id, 'media-name', id],
    queryFn: ({ signal }) => getMediaName(tenant.id, id ?? '', signal),
    enabled: id !== undefined && may(tenant, 'media:read'),
    staleTime: Infinity,
  });
  return (
    <span className={styles.media}>
      <MediaValue value={value} />
      <bdi className={styles.file}>{name ?? url}</bdi>
    </span>
  );
}

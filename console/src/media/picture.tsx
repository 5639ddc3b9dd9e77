import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { variantUrl } from '../api/media';
import { BASE } from '../base';
import { may } from '../session/rights';
import { useTenant } from '../shell/tenant';

/** A file of this service: pictures of others are not loaded. */
const FILE = /\/media\/([\w-]+)\/((med_\w+)(?:\.\w+)?)$/;

interface OwnFile {
  readonly id: string;
  /** Its last part of the path. */
  readonly name: string;
}

/** The file of the tenant that the URL names; undefined if it is anything else. */
export function ownFile(url: string, tenantId: string): OwnFile | undefined {
  const [, tenant, name, id] = FILE.exec(url) ?? [];
  return tenant === tenantId && name !== undefined && id !== undefined ? { id, name } : undefined;
}

/** Below the address of the console, whose policy allows pictures of its own host only. */
export function filePath(tenantId: string, { name }: OwnFile): string {
  return `/media/${tenantId}/${name}`;
}

interface PictureProps {
  file: OwnFile;
  /** The pixels of each side, and how the picture fills them. */
  side: number;
  fit: 'cover' | 'inside';
  className?: string;
  /** There is no such picture. */
  onError: () => void;
}

/** A small copy of a picture. Some tenants serve these for signed URLs only: whoever may see the files gets one. */
export function Picture({ file, side, fit, className, onError }: PictureProps) {
  const tenant = useTenant();
  const [isRefused, setRefused] = useState(false);
  const maySign = may(tenant, 'media:read');
  const size = { w: String(side), h: String(side), fit };
  const { data: signed, isError } = useQuery({
    queryKey: [tenant.id, 'variants', file.id, size],
    queryFn: ({ signal }) => variantUrl(tenant.id, file.id, size, signal),
    enabled: isRefused && maySign,
    staleTime: Infinity,
  });
  const query = isRefused ? signed && new URL(signed).search : `?${new URLSearchParams(size)}`;
  if (query === undefined || isError) return <span className={className} />;
  return (
    <img
      key={query}
      className={className}
      src={`${BASE}${filePath(tenant.id, file)}${query}`}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => (isRefused || !maySign ? onError() : setRefused(true))}
    />
  );
}

import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../http/public-url.js';
import { formatId } from '../ids/type-id.js';
import type { MediaDto } from './media.dto.js';
import type { MediaRow } from './media.sql.js';
import { formatVariantQuery, roundedUp, type VariantQuery } from './variant.js';
import { VariantSignatures } from './variant-signatures.js';

/** What leaves the service of a file: its resource, and its url. */
@Injectable()
export class MediaPresenter {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly signatures: VariantSignatures,
  ) {}

  present(tenantId: string, row: MediaRow): MediaDto {
    const { id, alt, filename, mimeType, size, width, height, createdAt } = row;
    const url = this.url(tenantId, row);
    const dimensions = width !== null && height !== null ? { width, height } : {};
    return {
      id: formatId('med', id),
      url,
      alt,
      filename,
      mime_type: mimeType,
      size,
      ...dimensions,
      created_at: createdAt,
    };
  }

  /** Absolute, and without a version: entries and sites keep it for good. */
  url(tenantId: string, { id, extension }: Pick<MediaRow, 'id' | 'extension'>): string {
    return `${this.publicUrl.base}${pathOf(tenantId, id)}.${extension}`;
  }

  /** The url of the variant that the query asks for, signed, and with the sides that it will have at most. */
  variantUrl(tenantId: string, row: Pick<MediaRow, 'id' | 'extension'>, asked: VariantQuery): string {
    const query = roundedUp(asked);
    const signature = this.signatures.sign(tenantId, row.id, query);
    return `${this.url(tenantId, row)}?${formatVariantQuery(query)}&s=${signature}`;
  }

  /** What every url of the file begins with, whether it was written absolute or as a path. */
  urlBeginnings(tenantId: string, id: string): string[] {
    const path = pathOf(tenantId, id);
    const { pathname } = new URL(this.publicUrl.base);
    return [...new Set([`${this.publicUrl.base}${path}`, `${pathname.replace(/\/$/, '')}${path}`, path])];
  }
}

function pathOf(tenantId: string, id: string): string {
  return `/media/${tenantId}/${formatId('med', id)}`;
}

import { Injectable } from '@nestjs/common';
import type { MediaUse } from '../content/media-usage.js';
import { readName } from '../fields/localized/localized-names.js';
import { markPath, markWritten } from '../fields/formats/media-url.js';
import { PublicUrl } from '../http/public-url.js';
import { formatId } from '../ids/type-id.js';
import type { MediaDto, MediaUseDto } from './media.dto.js';
import type { MediaRow } from './media.sql.js';
import { Tenants } from '../tenants/tenants.js';
import { formatVariantQuery, offeredWidths, roundedUp, type VariantQuery } from './variants/variant.js';
import { VariantSignatures } from './variants/variant-signatures.js';

/** What a media value in full has besides `url` and `alt`. The variants are those that are less wide than the file, for `srcset`. */
interface MediaDetails extends Pick<MediaDto, 'id' | 'mime_type' | 'width' | 'height'> {
  variants: { width: number; url: string }[];
}

/** Returns what leaves the service about a file: its resource and its URLs. */
@Injectable()
export class MediaPresenter {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly signatures: VariantSignatures,
    private readonly tenants: Tenants,
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

  /** Returns the file as JSON, in which its path is marked as in the values of entries, because events outlast a `PUBLIC_URL`. */
  eventData(tenantId: string, row: MediaRow): string {
    return markWritten(JSON.stringify(markPath({ ...this.present(tenantId, row), url: pathOf(tenantId, row) })));
  }

  /** Returns the public URL. It is absolute and has no version, because entries and sites store it permanently. */
  url(tenantId: string, { id, extension }: Pick<MediaRow, 'id' | 'extension'>): string {
    return `${this.publicUrl.base}${pathOf(tenantId, { id, extension })}`;
  }

  /** Returns the members that a media value in full has besides `url` and `alt`. */
  details(tenantId: string, row: Pick<MediaRow, 'id' | 'extension' | 'mimeType' | 'width' | 'height'>): MediaDetails {
    const { id, mimeType, width, height } = row;
    const isSigned = this.tenants.find(tenantId)?.signedVariants === true;
    const urlOf = (w: number) =>
      isSigned ? this.variantUrl(tenantId, row, { w }) : `${this.url(tenantId, row)}?${formatVariantQuery({ w })}`;
    return {
      id: formatId('med', id),
      mime_type: mimeType,
      ...(width !== null && height !== null && { width, height }),
      variants: offeredWidths(row).map((w) => ({ width: w, url: urlOf(w) })),
    };
  }

  /** Returns the signed URL of the variant that the query describes. The sides in the URL are the maximum sides of the variant. */
  variantUrl(tenantId: string, row: Pick<MediaRow, 'id' | 'extension'>, asked: VariantQuery): string {
    const query = roundedUp(asked);
    const signature = this.signatures.sign(tenantId, row.id, query);
    return `${this.url(tenantId, row)}?${formatVariantQuery(query)}&s=${signature}`;
  }
}

export function presentUse({ typeId, entryId, field: stored }: MediaUse): MediaUseDto {
  const { own: field, locale } = readName(stored);
  const ids = { content_type_id: formatId('ct', typeId), entry_id: formatId('ent', entryId) };
  return { ...ids, field, ...(locale !== undefined && { locale }) };
}

/** Returns the path of the file, as values of entries hold it. */
export function pathOf(tenantId: string, { id, extension }: Pick<MediaRow, 'id' | 'extension'>): string {
  return `/media/${tenantId}/${formatId('med', id)}.${extension}`;
}

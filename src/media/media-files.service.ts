import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import type { Query } from '../http/query.js';
import { formatId, parseId } from '../ids/type-id.js';
import { Tenants } from '../tenants/tenants.js';
import type { ServedFile } from './served-file.js';
import { GET_MEDIA, type MediaRow } from './media.sql.js';
import { type ByteRange, keyOf, MediaStorage, type StoredBytes } from './media-storage.js';
import { problemOfDisk } from './storage-problem.js';
import { mimeTypeOf, readVariantQuery, type Variant, variantOf, type VariantQuery } from './variant.js';
import { VariantSignatures } from './variant-signatures.js';
import { VariantsService } from './variants.service.js';

/** Finds what a public url stands for. */
@Injectable()
export class MediaFilesService {
  constructor(
    private readonly database: Database,
    private readonly signatures: VariantSignatures,
    private readonly storage: MediaStorage,
    private readonly tenants: Tenants,
    private readonly variants: VariantsService,
  ) {}

  /**
   * `file` is `med_….ext`, `query` asks for a variant of it. 404 for what is not there, 400 for a query that can't be met, 403 for a
   * variant without the signature that the tenant demands.
   */
  async find(tenantId: string, file: string, query: Query, address: string): Promise<ServedFile> {
    const [name = '', extension, ...rest] = file.split('.');
    const id = parseId('med', name);
    if (id === undefined || rest.length > 0 || !this.tenants.find(tenantId)) throw Problem.notFound('file');
    const [media] = await this.database.query<MediaRow>(tenantId, GET_MEDIA, [id]);
    if (!media || media.extension !== extension) throw Problem.notFound('file');
    const asked = readVariantQuery(query);
    const variant = asked && variantOf(asked, media);
    if (!variant) return this.original(media);
    this.assertSigned(tenantId, id, asked, query);
    return this.variantOf(tenantId, media, variant, address);
  }

  private assertSigned(tenantId: string, id: string, asked: VariantQuery, { s = '' }: Query): void {
    if (!this.tenants.find(tenantId)?.signedVariants) return;
    if (this.signatures.isValid(tenantId, id, asked, String(s))) return;
    throw new Problem('forbidden', 'This variant needs a valid signature in the parameter s.');
  }

  private original(media: MediaRow): ServedFile {
    const { id, mime_type, filename, size } = media;
    const open = (range?: ByteRange) => onDisk(() => this.open(id, range));
    return { etag: `"${formatId('med', id)}"`, mimeType: mime_type, filename, size, open };
  }

  private variantOf(tenantId: string, media: MediaRow, variant: Variant, address: string): ServedFile {
    const { id, filename } = media;
    return {
      etag: `"${formatId('med', id)}-${variant.name}"`,
      mimeType: mimeTypeOf(variant.format),
      filename: `${filename.replace(/\.[A-Za-z0-9]{1,10}$/, '')}.${variant.format}`,
      open: () => onDisk(() => this.variants.open(tenantId, media, variant, address)),
    };
  }

  private async open(id: string, range?: ByteRange): Promise<StoredBytes> {
    const bytes = await this.storage.read(keyOf(id), range);
    // Deleted since the row was read; or somebody tidied up in the storage.
    if (!bytes) throw Problem.notFound('file');
    return bytes;
  }
}

/** A disk that can't be read is no fault of the client. */
async function onDisk<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw problemOfDisk(error) ?? error;
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import type { Query } from '../http/query.js';
import { formatId, parseId } from '../ids/type-id.js';
import { Tenants } from '../tenants/tenants.js';
import type { ServedFile } from './file-answer.js';
import { GET_SERVED } from './media.sql.js';
import { type ByteRange, keyOf, MediaStorage, type StoredBytes } from './media-storage.js';
import { mimeTypeOf, readVariant, type Variant } from './variant.js';
import { type ServedMedia, VariantsService } from './variants.service.js';

/** Finds what a public url stands for. */
@Injectable()
export class MediaFilesService {
  constructor(
    private readonly database: Database,
    private readonly storage: MediaStorage,
    private readonly tenants: Tenants,
    private readonly variants: VariantsService,
  ) {}

  /** `file` is `med_….ext`, `query` asks for a variant of it. 404 for what is not there, 400 for a query that can't be met. */
  async find(tenantId: string, file: string, query: Query, address: string): Promise<ServedFile> {
    const [name = '', extension, ...rest] = file.split('.');
    const id = parseId('med', name);
    if (id === undefined || rest.length > 0 || !this.tenants.find(tenantId)) throw Problem.notFound('file');
    const [media] = await this.database.query<ServedMedia>(tenantId, GET_SERVED, [id]);
    if (!media || media.extension !== extension) throw Problem.notFound('file');
    const variant = readVariant(query, media);
    return variant ? this.variantOf(tenantId, media, variant, address) : this.original(media);
  }

  private original(media: ServedMedia): ServedFile {
    const { id, mime_type, filename, size } = media;
    const open = (range?: ByteRange) => this.open(id, range);
    return { etag: `"${formatId('med', id)}"`, mimeType: mime_type, filename, size, open };
  }

  private variantOf(tenantId: string, media: ServedMedia, variant: Variant, address: string): ServedFile {
    const { id, filename } = media;
    return {
      etag: `"${formatId('med', id)}-${variant.name}"`,
      mimeType: mimeTypeOf(variant.format),
      filename: `${filename.replace(/\.[A-Za-z0-9]{1,10}$/, '')}.${variant.format}`,
      open: () => this.variants.open(tenantId, media, variant, address),
    };
  }

  private async open(id: string, range?: ByteRange): Promise<StoredBytes> {
    const bytes = await this.storage.read(keyOf(id), range);
    // Deleted since the row was read; or somebody tidied up in the storage.
    if (!bytes) throw Problem.notFound('file');
    return bytes;
  }
}

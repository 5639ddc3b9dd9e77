import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { formatId, parseId } from '../../ids/type-id.js';
import { Tenants } from '../../tenants/tenants.js';
import type { ServedFile } from './served-file.js';
import { GET_MEDIA, type MediaRow } from '../media.sql.js';
import { type ByteRange, keyOf, MediaStorage, type StoredBytes } from '../storage/media-storage.js';
import { problemOfDisk } from '../storage/storage-problem.js';
import { mimeTypeOf, type Variant, variantOf, type VariantQuery } from '../variants/variant.js';
import { VariantSignatures } from '../variants/variant-signatures.js';
import { VariantsService } from '../variants/variants.service.js';

/** The client that requests a file. `signature` is the one in the URL; empty if the URL has none. */
interface FileRequester {
  address: string;
  signature: string;
}

/** Serves the files behind public URLs. */
@Injectable()
export class MediaFilesService {
  constructor(
    private readonly database: Database,
    private readonly signatures: VariantSignatures,
    private readonly storage: MediaStorage,
    private readonly tenants: Tenants,
    private readonly variants: VariantsService,
  ) {}

  /** Returns the row of the file that is named `med_….ext`. Throws a 404 if the file does not exist. */
  async find(tenantId: string, file: string): Promise<MediaRow> {
    const [name = '', extension, ...rest] = file.split('.');
    const id = parseId('med', name);
    if (id === undefined || rest.length > 0 || !this.tenants.find(tenantId)) throw Problem.notFound('file');
    const [media] = await this.database.query(tenantId, GET_MEDIA, { id });
    if (!media || media.extension !== extension) throw Problem.notFound('file');
    return media;
  }

  /**
   * Returns what a visitor receives: the variant that `asked` describes, or otherwise the original. Throws a 400 if the file cannot have this
   * variant, and a 403 if the tenant requires a signature and the visitor's is not valid.
   */
  serve(tenantId: string, media: MediaRow, asked: VariantQuery | undefined, visitor: FileRequester): ServedFile {
    if (!asked) return this.original(media);
    const variant = variantOf(asked, media);
    this.assertSigned(tenantId, media.id, asked, visitor.signature);
    return this.variantOf(tenantId, media, variant, visitor.address);
  }

  private assertSigned(tenantId: string, id: string, asked: VariantQuery, signature: string): void {
    if (!this.tenants.find(tenantId)?.signedVariants) return;
    if (this.signatures.isValid(tenantId, id, asked, signature)) return;
    throw new Problem('forbidden', 'This variant requires a valid signature in the parameter s.');
  }

  private original(media: MediaRow): ServedFile {
    const { id, mimeType, filename, size } = media;
    const open = (range?: ByteRange) => onDisk(() => this.open(id, range));
    return { etag: `"${formatId('med', id)}"`, mimeType, filename, size, open };
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
    // The file was deleted after the row was read, or the bytes were removed from the storage by hand.
    if (!bytes) throw Problem.notFound('file');
    return bytes;
  }
}

/** Converts a disk error to a 507 or 503, because the client did not cause it. */
async function onDisk<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw problemOfDisk(error) ?? error;
  }
}

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { S3Config } from '../../config/config.js';
import { type ByteRange, MediaStorage, type StoredBytes } from './media-storage.js';
import { storageUnavailable, storageFull } from './storage-problem.js';

/** Maximum number of downloads at once. Each holds a connection until its client has finished. */
const CONNECTIONS = 500;

const nothing = (): void => undefined;
/** Errors are thrown, and logged with the response. */
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Error codes of S3-compatible services without free space. Amazon S3 does not run out of space. */
const FULL = ['XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'QuotaExceeded', 'InsufficientStorage'];

/** Stores files in a bucket of any S3-compatible service. */
export class S3Storage extends MediaStorage implements OnApplicationShutdown {
  private readonly client: S3Client;

  constructor(private readonly config: S3Config) {
    super();
    const { endpoint, region, accessKeyId, secretAccessKey } = config;
    this.client = new S3Client({
      endpoint,
      region,
      logger: SILENT,
      credentials: { accessKeyId, secretAccessKey },
      // Only Amazon S3 has a host name for every bucket.
      forcePathStyle: !new URL(endpoint).hostname.endsWith('.amazonaws.com'),
      // Some services do not support the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: 5_000,
        socketTimeout: 60_000,
        httpAgent: { maxSockets: CONNECTIONS },
        httpsAgent: { maxSockets: CONNECTIONS },
      },
    });
  }

  async put(key: string, path: string, mimeType: string): Promise<void> {
    const { size } = await stat(path);
    const Body = createReadStream(path);
    const command = new PutObjectCommand({ ...this.object(key), Body, ContentLength: size, ContentType: mimeType });
    await this.reach(() => this.client.send(command)).finally(() => Body.destroy());
  }

  async read(key: string, range?: ByteRange): Promise<StoredBytes | undefined> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    try {
      const { Body, ContentLength = 0 } = await this.reach(() =>
        this.client.send(new GetObjectCommand({ ...this.object(key), Range })),
      );
      return { stream: Body as Readable, length: ContentLength };
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  localPath(): undefined {
    return undefined;
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.reach(() => this.client.send(new DeleteObjectCommand(this.object(key))));
  }

  onApplicationShutdown(): void {
    this.client.destroy();
  }

  private object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.config.bucket, Key: `media/${key}` };
  }

  /** Converts an error of the bucket to a 507 or 503, because the client did not cause it. */
  private async reach<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof NoSuchKey) throw error;
      throw isFull(error) ? storageFull(error) : storageUnavailable(error);
    }
  }
}

function isFull(error: unknown): boolean {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return FULL.includes(name) || $metadata?.httpStatusCode === 507;
}

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { S3Config } from '../config/variables.js';
import { type ByteRange, MediaStorage, type StoredBytes } from './media-storage.js';
import { storageAway, storageFull } from './storage-problem.js';

/** Downloads that may be under way at once; each holds a connection for as long as its client takes. */
const CONNECTIONS = 500;

const nothing = (): void => undefined;
/** What goes wrong is thrown, and logged where it is answered. */
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** What services that speak S3 answer when there is no room; Amazon's has always room. */
const FULL = ['XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'QuotaExceeded', 'InsufficientStorage'];

/** Keeps files in a bucket of any service that speaks S3. */
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
      // Only Amazon has a host name for every bucket.
      forcePathStyle: !new URL(endpoint).hostname.endsWith('.amazonaws.com'),
      // Not every service knows the newer checksums.
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

  /** A bucket that is away, or refuses, is no fault of the client. */
  private async reach<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof NoSuchKey) throw error;
      throw isFull(error) ? storageFull(error) : storageAway(error);
    }
  }
}

function isFull(error: unknown): boolean {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return FULL.includes(name) || $metadata?.httpStatusCode === 507;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

export interface S3Server {
  /** The environment that makes the service use this server. */
  env: Record<string, string>;
  /** The folder that contains the objects. */
  folder: string;
  stop(): Promise<void>;
}

/** Starts a real S3 server with one bucket. It rejects unknown key IDs, but does not verify signatures of version 4. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'trivet', configs: [] }],
  });
  const { port } = await server.run();
  return {
    folder,
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'trivet',
      // The only key that S3rver knows.
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async stop() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

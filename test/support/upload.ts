import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestApp, TestTenant } from './app.js';

export interface Part {
  name: string;
  /** Written into the header unchanged. Without it, the part is a field. */
  filename?: string;
  type?: string;
  data: Buffer | string;
}

/** A media resource as the API returns it. */
export interface TestMedia {
  id: string;
  url: string;
  alt: string;
  filename: string;
  mime_type: string;
  size: number;
}

export interface Answer {
  status: number;
  /** A success has only `data`, a problem all other properties. */
  body: { data: TestMedia; code: string; errors: { path: string; code: string }[] };
}

export const BOUNDARY = 'trivet-test-boundary';

/** A multipart body with exactly these parts. */
export function multipart(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap(({ name, filename, type, data }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(filename === undefined ? '' : `; filename="${filename}"`),
    Buffer.from(`${type ? `\r\nContent-Type: ${type}` : ''}\r\n\r\n`),
    Buffer.from(data as string),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

interface Options {
  type?: string;
  length?: number;
  /** Closes the connection after the last piece. */
  abort?: boolean;
  headers?: Record<string, string>;
}

/** Sends a body to the upload endpoint. A list is sent in pieces. */
export async function send(
  app: TestApp,
  tenant: TestTenant,
  body: Buffer | readonly Buffer[],
  options: Options = {},
): Promise<Answer> {
  const headers = { Authorization: `Bearer ${tenant.key}`, ...options.headers };
  return sendTo<Answer>(app, `/v1/media/${tenant.id}`, body, { ...options, headers });
}

/** Sends a multipart body to a path. A list is sent in pieces; a promise among them is awaited before the next one. */
export async function sendTo<Result = { status: number; body: Record<string, never> }>(
  app: TestApp,
  path: string,
  body: Buffer | readonly (Buffer | Promise<unknown>)[],
  options: Options = {},
): Promise<Result> {
  const { port } = app.app.getHttpServer().address() as AddressInfo;
  const pieces = Array.isArray(body) ? (body as readonly (Buffer | Promise<unknown>)[]) : [body as Buffer];
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path,
        headers: {
          'Content-Type': options.type ?? `multipart/form-data; boundary=${BOUNDARY}`,
          ...(options.length !== undefined && { 'Content-Length': options.length }),
          ...options.headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: JSON.parse(Buffer.concat(chunks).toString() || 'null'),
          } as Result),
        );
      },
    );
    outgoing.on('error', reject);
    const write = async () => {
      for (const piece of pieces) {
        if (!Buffer.isBuffer(piece)) await piece;
        else if (!outgoing.write(piece)) await new Promise((drained) => outgoing.once('drain', drained));
      }
      if (options.abort) setTimeout(() => outgoing.destroy(new Error('hung up')), 50);
      else outgoing.end();
    };
    write().catch(reject);
  });
}

/** Uploads one file and returns the resource. Throws if that fails. */
export async function upload(
  app: TestApp,
  tenant: TestTenant,
  data: Buffer,
  filename = 'file',
  alt?: string,
): Promise<TestMedia> {
  const parts: Part[] = [{ name: 'file', filename, data }];
  if (alt !== undefined) parts.push({ name: 'alt', data: alt });
  const { status, body } = await send(app, tenant, multipart(parts));
  if (status !== 201) throw new Error(`Upload failed: ${JSON.stringify(body)}`);
  return body.data;
}

/** The path under which the test application serves a media URL. */
export function pathOf(url: string): string {
  return new URL(url).pathname;
}

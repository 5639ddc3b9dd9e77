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

/** Sends a body to the upload endpoint. A list is sent in pieces; `abort` closes the connection after the last one. */
export async function send(
  app: TestApp,
  tenant: TestTenant,
  body: Buffer | readonly Buffer[],
  options: { type?: string; length?: number; abort?: boolean } = {},
): Promise<Answer> {
  const { port } = app.app.getHttpServer().address() as AddressInfo;
  const pieces = Array.isArray(body) ? (body as readonly Buffer[]) : [body as Buffer];
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `/v1/media/${tenant.id}`,
        headers: {
          Authorization: `Bearer ${tenant.key}`,
          'Content-Type': options.type ?? `multipart/form-data; boundary=${BOUNDARY}`,
          ...(options.length !== undefined && { 'Content-Length': options.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString() || 'null') }),
        );
      },
    );
    outgoing.on('error', reject);
    const write = async () => {
      for (const piece of pieces) {
        if (!outgoing.write(piece)) await new Promise((drained) => outgoing.once('drain', drained));
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

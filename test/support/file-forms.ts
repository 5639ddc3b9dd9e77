import { join } from 'node:path';
import type { TestApp, TestTenant } from './app.js';
import { filesBelow } from './files-below.js';
import { until } from './until.js';
import { BOUNDARY, multipart, type Part } from './upload.js';

/** A file as the full view lists it. */
export interface TestFile {
  id: string;
  field: string;
  name: string;
  mime_type: string;
  size: number;
}

export interface TestForm {
  id: string;
  path: string;
  submissions: string;
}

interface Sent {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: {
    data: { id: string; fields: Record<string, string> };
    code: string;
    detail: string;
    errors?: { path: string; code: string; message: string }[];
  };
}

export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
export const MIB = 1024 * 1024;

let addresses = 0;

/** The headers of a visitor whose address no other request of the test file has. */
export function visitor(): Record<string, string> {
  return { 'X-Forwarded-For': `10.8.${++addresses >> 8}.${addresses & 255}` };
}

/** Creates a form whose field `cv` takes a file, unless other fields are given. */
export async function fileForm(tenant: TestTenant, fields: object[] = [CV], settings?: object): Promise<TestForm> {
  const sent = { name: 'Jobs', fields, ...(settings && { settings }) };
  const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, sent).expect(201);
  const path = `/v1/forms/${tenant.id}/${body.data.id}`;
  return { id: body.data.id, path, submissions: `${path}/submissions` };
}

export const CV = { name: 'cv', type: 'file' };

/** A part of a body that is a file of the field `cv`. */
export function cv(data: Buffer | string, filename = 'cv.bin', type = 'application/octet-stream'): Part {
  return { name: 'cv', filename, type, data };
}

/** Submits a form as a browser does. */
export async function submit(
  app: TestApp,
  path: string,
  parts: readonly Part[] | Buffer,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const response = await app
    .client(undefined, { ...visitor(), Accept: '*/*', ...headers })
    .post(path)
    .set('Content-Type', headers['Content-Type'] ?? MULTIPART)
    .ok(() => true)
    .redirects(0)
    .send(Buffer.isBuffer(parts) ? parts : multipart(parts));
  return response;
}

/** Submits a form, and returns the submission in the full view. */
export async function submitted(
  app: TestApp,
  tenant: TestTenant,
  { submissions }: TestForm,
  parts: readonly Part[],
): Promise<{ id: string; path: string; fields: Record<string, string>; files: TestFile[]; verdict: string }> {
  const { status, body } = await submit(app, submissions, parts);
  if (status !== 201) throw new Error(`The form was refused: ${JSON.stringify(body)}`);
  const path = `${submissions}/${body.data.id}`;
  const full = (await tenant.http.get(path).expect(200)).body.data;
  return { ...full, path };
}

export function faults({ body }: { body: { errors?: { path: string; code: string }[] } }): string[] {
  return (body.errors ?? []).map(({ path, code }) => `${path} ${code}`);
}

/** The number and the bytes of a tenant's files, as they are counted. */
export async function counted(app: TestApp, tenant: TestTenant): Promise<[number, number]> {
  const [row] = await app.database.query<{ files: string; bytes: string }>(
    'SELECT coalesce(sum(files), 0) AS files, coalesce(sum(bytes), 0) AS bytes FROM private_file_counts WHERE tenant_id = $1',
    [tenant.id],
  );
  return [Number(row?.files), Number(row?.bytes)];
}

/** What an application stores of private files: the paths of their bytes, and of files in progress. */
export async function storedFiles({ config }: TestApp): Promise<string[]> {
  const all = (folder: string) => filesBelow(join(config.dataDir, folder));
  const kept = (await all('media')).filter((path) => path.endsWith('/private'));
  return [...kept, ...(await all('media-incoming'))];
}

/** Resolves when nothing of a tenant's files is stored or in progress any more. `others`: what was stored before. */
export async function nothingLeft(app: TestApp, tenant: TestTenant, others: readonly string[] = []): Promise<void> {
  const left = async () => {
    const rows = await Promise.all(
      ['submission_files', 'orphaned_files'].map((table) =>
        app.database.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenant.id]),
      ),
    );
    return rows.flat().length + (await storedFiles(app)).filter((path) => !others.includes(path)).length;
  };
  await until(async () => (await left()) === 0);
  const [files, bytes] = await counted(app, tenant);
  if (files !== 0 || bytes !== 0) throw new Error(`${files} files with ${bytes} bytes are still counted.`);
}

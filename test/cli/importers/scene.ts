import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from 'tar-stream';
import { gzipSync } from 'node:zlib';
import { commandsOn } from '../../support/command-line.js';
import { startApp, type TestApp, type TestTenant } from '../../support/app.js';
import { files } from '../../support/files.js';
import { cert, key } from '../../support/outbound.js';
import { RECEIVER_ENV } from '../../support/receiver.js';

const FIXTURES = join(process.cwd(), 'test/cli/importers/fixtures');

/** What `--json` prints. */
export interface Imported {
  source: string;
  types: { slug: string; created: number; updated: number; unchanged: number; failed: number }[];
  files: { stored: number; kept: number; failed: number };
  report: { message: string; count: number; where: string[] }[];
}

export interface TestEntry {
  id: string;
  fields: Record<string, unknown>;
  status: string;
  created_at: string;
}

/** A service that may fetch from a server of this machine, and a folder for the files to import. */
export class ImportScene {
  /** The paths that were asked for. */
  requests: readonly string[] = [];

  private constructor(
    readonly app: TestApp,
    readonly origin: string,
    readonly folder: string,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<ImportScene> {
    const png = await files.png();
    const requests: string[] = [];
    const server = createServer({ key, cert }, (request, response) => {
      requests.push(request.url ?? '');
      if (request.url?.includes('gone')) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const folder = await mkdtemp(join(tmpdir(), 'trivet-importers-'));
    const app = await startApp({
      OUTBOUND_ALLOW: '127.0.0.1/32,::1/128',
      OUTBOUND_CA_FILE: RECEIVER_ENV.OUTBOUND_CA_FILE,
    });
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
    const scene = new ImportScene(app, origin, folder, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
      await app.close();
    });
    scene.requests = requests;
    return scene;
  }

  close(): Promise<void> {
    return this.end();
  }

  commands(tenant: TestTenant) {
    return commandsOn(this.app, tenant, this.folder);
  }

  /** Writes a fixture into the folder, with the origin of the server in it. Returns its path. */
  async fixture(name: string): Promise<string> {
    const text = await readFile(join(FIXTURES, name), 'utf8');
    return this.file(name, text.replaceAll('{ORIGIN}', this.origin));
  }

  async file(name: string, content: string | Buffer): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, content);
    return path;
  }

  /** Writes a compressed archive. Returns its path. */
  async archive(name: string, content: Record<string, string | Buffer>): Promise<string> {
    const archive = pack();
    for (const [path, text] of Object.entries(content)) archive.entry({ name: path }, text);
    archive.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of archive) chunks.push(chunk as Buffer);
    return this.file(name, gzipSync(Buffer.concat(chunks)));
  }

  /** Imports a file, and returns the result. */
  async import(tenant: TestTenant, kind: string, path: string, ...words: string[]): Promise<Imported> {
    const ran = await this.commands(tenant).run('import', kind, path, '--json', ...words);
    if (ran.code !== 0) throw new Error(`The import ended with ${ran.code}: ${ran.stderr}${ran.stdout}`);
    return JSON.parse(ran.stdout) as Imported;
  }

  /** The entries of a type, in the order of a field. */
  async entries(tenant: TestTenant, slug: string, query = 'sort=id'): Promise<TestEntry[]> {
    const path = `/v1/content/${tenant.id}/types/${slug}/entries?per_page=100&${query}`;
    return (await tenant.http.get(path).expect(200)).body.data as TestEntry[];
  }

  /** Everything that a second run must leave as it is. */
  async state(tenant: TestTenant): Promise<unknown> {
    const rows = (table: string, columns: string) =>
      this.app.database.query(`SELECT ${columns} FROM ${table} WHERE tenant_id = $1 ORDER BY 1, 2`, [tenant.id]);
    return {
      entries: await rows('entries', 'id, version, status, fields::text'),
      drafts: await rows('entry_drafts', 'entry_id, fields::text'),
      media: await rows('media', 'id, filename'),
      types: await rows('content_types', 'slug, version'),
      events: (await rows('events', 'id, type')).length,
    };
  }
}

/** How many were counted of a type. */
export function countsOf({ types }: Imported, slug: string): number[] {
  const { created, updated, unchanged, failed } = types.find((type) => type.slug === slug)!;
  return [created, updated, unchanged, failed];
}

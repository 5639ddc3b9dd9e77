import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyOf } from '../../src/media/storage/media-storage.js';
import { parseId } from '../../src/ids/type-id.js';
import type { IdPrefix } from '../../src/modules/module-manifest.js';
import type { TestApp, TestTenant } from './app.js';
import { createType, type TestType } from './content.js';
import { upload } from './upload.js';

/** The times of an acknowledged write, by the writer's clock (milliseconds since 1970). */
export interface Written {
  id: string;
  begun: number;
  acknowledged: number;
  deletionBegun?: number;
  deletionAcknowledged?: number;
}

export interface WrittenEntry extends Written {
  title: string;
}

export interface WrittenFile extends Written {
  /** The SHA-256 of the bytes. */
  sha256: string;
  /** The path of the file in the media folder. */
  key: string;
}

const DRAFT_EVERY = 3;
/** The pause between two writes of the same kind. Without it the writers use all cores, and the backup becomes several times larger. */
const PAUSE_MS = 40;

/** Writes and partly deletes a tenant's entries, files and submissions until it is stopped. */
export class BackupWriter {
  readonly entries: WrittenEntry[] = [];
  readonly files: WrittenFile[] = [];
  readonly submissions: Written[] = [];
  private stopped = false;

  private constructor(
    private readonly app: TestApp,
    readonly tenant: TestTenant,
    readonly type: TestType,
    /** The path of the form's submissions. */
    readonly form: string,
  ) {}

  static async create(app: TestApp, tenant: TestTenant): Promise<BackupWriter> {
    const type = await createType(tenant, [
      { name: 'title', type: 'text', required: true, unique: true },
      { name: 'words', type: 'rich_text' },
      { name: 'number', type: 'integer' },
    ]);
    const fields = [{ name: 'message', type: 'textarea' }];
    const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'Contact', fields }).expect(201);
    return new BackupWriter(app, tenant, type, `/v1/forms/${tenant.id}/${body.data.id}/submissions`);
  }

  /** Writes one of each kind. */
  async once(): Promise<void> {
    await Promise.all([this.writeEntry(), this.writeFile(), this.submit()]);
  }

  async run(): Promise<void> {
    await Promise.all([
      this.repeat(() => this.writeEntry()),
      this.repeat(() => this.writeFile()),
      this.repeat(() => this.submit()),
    ]);
  }

  stop(): void {
    this.stopped = true;
  }

  private async repeat(step: () => Promise<void>): Promise<void> {
    while (!this.stopped) {
      await step();
      await sleep(PAUSE_MS);
    }
  }

  private async writeEntry(): Promise<void> {
    const number = this.entries.length;
    const title = `Title ${number} of ${this.tenant.id}`;
    const body = {
      fields: {
        title,
        number,
        words: `<p>Tab\t, backslash \\ and newline\n of ${randomBytes(200).toString('base64')}</p>`,
      },
      status: number % DRAFT_EVERY === 0 ? 'draft' : 'published',
    };
    const begun = Date.now();
    const answer = await this.tenant.http.post(this.type.entries, body).expect(201);
    this.entries.push({ id: answer.body.data.id, title, begun, acknowledged: Date.now() });
    if (number % 4 === 3) await this.delete(this.entries[number - 2]!, this.type.entries);
  }

  private async writeFile(): Promise<void> {
    const bytes = Buffer.from(randomBytes(1_000 + Math.floor(Math.random() * 100_000)).toString('hex'));
    const begun = Date.now();
    const { id } = await upload(this.app, this.tenant, bytes, 'a.txt');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.files.push({ id, sha256, key: keyOf(uuidOf('med', id)), begun, acknowledged: Date.now() });
    // Delete some files right after their upload, and others later.
    const number = this.files.length - 1;
    if (number % 3 === 1) await this.delete(this.files[number]!, `/v1/media/${this.tenant.id}`);
    if (number % 4 === 3) await this.delete(this.files[number - 3]!, `/v1/media/${this.tenant.id}`);
  }

  private async submit(): Promise<void> {
    const address = [10, ...randomBytes(3)].join('.');
    const begun = Date.now();
    const answer = await this.app
      .client(undefined, { 'X-Forwarded-For': address })
      .post(this.form, { fields: { message: `Message ${this.submissions.length}` } })
      .expect(201);
    this.submissions.push({ id: answer.body.data.id, begun, acknowledged: Date.now() });
  }

  private async delete(written: Written, path: string): Promise<void> {
    if (written.deletionBegun !== undefined) return;
    written.deletionBegun = Date.now();
    await this.tenant.http.delete(`${path}/${written.id}`).expect(200);
    written.deletionAcknowledged = Date.now();
  }
}

export function uuidOf(prefix: IdPrefix, id: string): string {
  return parseId(prefix, id) ?? '';
}

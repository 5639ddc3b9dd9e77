import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailMessage, MailTransport } from './mail-transport.js';
import { mailOptions, nodemailerRefusal, SAFE_OPTIONS } from './nodemailer.js';

/** Writes each email to a file `<id>.eml` in a folder, instead of sending it. */
export class FileTransport implements MailTransport {
  readonly connections = 5;
  private readonly mailer = createTransport({ ...SAFE_OPTIONS, streamTransport: true, buffer: true });

  constructor(private readonly folder: string) {}

  async send(message: MailMessage): Promise<void> {
    const bytes = await this.format(message);
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, `${message.id}.eml`);
    // Rename the complete file, so that no reader sees a partial email.
    const temporary = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      await writeFile(temporary, bytes, { mode: 0o600 });
      await rename(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) await rm(join(this.folder, `${id}.eml`), { force: true });
  }

  close(): void {}

  private async format(message: MailMessage) {
    try {
      return (await this.mailer.sendMail(mailOptions(message))).message;
    } catch (error) {
      throw nodemailerRefusal(error);
    }
  }
}

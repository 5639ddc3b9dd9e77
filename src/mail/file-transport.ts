import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { MailTransport } from './mail-transport.js';

/** Writes each email to a file `<id>.eml` in a folder, instead of sending it. */
export class FileTransport implements MailTransport {
  private readonly mailer = createTransport({
    streamTransport: true,
    buffer: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  constructor(private readonly folder: string) {}

  async send(id: string, message: SendMailOptions): Promise<void> {
    const { message: bytes } = await this.mailer.sendMail(message);
    await mkdir(this.folder, { recursive: true });
    const path = join(this.folder, `${id}.eml`);
    // Rename the complete file, so that no reader sees a partial email.
    const temporary = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      await writeFile(temporary, bytes, { mode: 0o600 });
      await rename(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  close(): void {}
}

import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { MailTransport } from './mail-transport.js';

/** Writes what would be sent to a folder, a file `<id>.eml` each. */
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
    // Renamed once it is whole: nobody ever reads half a mail.
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

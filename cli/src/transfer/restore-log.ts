import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linesOf } from '../lines/lines.js';
import type { Session } from '../session/session.js';

/** A line of the log. `service` tells apart services that have a tenant of the same name. */
type Line = { readonly service: string } & (
  | { readonly kind: 'media'; readonly id: string; readonly media: string }
  | { readonly kind: 'bare'; readonly type: string; readonly ids: readonly string[] }
  | { readonly kind: 'completed' }
);
type Note<One = Line> = One extends Line ? Omit<One, 'service'> : never;

/** What restores of an export into a tenant have done, so that one that was killed is continued: a file beside those of the export. */
export class RestoreLog {
  /** The IDs of media files in the tenant, by those in the export. */
  readonly media = new Map<string, string>();
  /** The entries that were imported without some of their references, by content type. */
  readonly bare = new Map<string, Set<string>>();

  private constructor(
    private readonly file: string,
    private readonly service: string,
  ) {}

  static async of({ tenant, url }: Session, folder: string): Promise<RestoreLog> {
    const log = new RestoreLog(join(folder, `restored-${tenant}.ndjson`), url);
    try {
      for await (const text of linesOf(createReadStream(log.file), log.file)) log.take(parsed(text));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return log;
  }

  async uploaded(id: string, media: string): Promise<void> {
    await this.add({ kind: 'media', id, media });
  }

  /** Call this before the entries are imported. */
  async importing(type: string, ids: readonly string[]): Promise<void> {
    await this.add({ kind: 'bare', type, ids });
  }

  /** All entries have their references. */
  async completed(): Promise<void> {
    if (this.bare.size > 0) await this.add({ kind: 'completed' });
  }

  private async add(note: Note): Promise<void> {
    const line: Line = { service: this.service, ...note };
    // A line that was written in part must not spoil the next one.
    await appendFile(this.file, `\n${JSON.stringify(line)}\n`);
    this.take(line);
  }

  private take(line: Line | undefined): void {
    if (line?.service !== this.service) return;
    if (line.kind === 'media') this.media.set(line.id, line.media);
    else if (line.kind === 'completed') this.bare.clear();
    else this.bare.set(line.type, new Set([...(this.bare.get(line.type) ?? []), ...line.ids]));
  }
}

/** Undefined for a line that was written in part. */
function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

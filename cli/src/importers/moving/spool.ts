import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { linesOfFile } from '../../lines/lines.js';

/**
 * Lines of JSON and files on the disk, for what is read in one order and written in another. The names of its files are its own: what a source calls
 * a file never becomes a path.
 */
export class Spool {
  private readonly writers = new Map<string, WriteStream>();
  private readonly paths = new Map<string, string>();
  private count = 0;

  private constructor(private readonly folder: string) {}

  /** Runs the work with a spool, and removes it afterwards. */
  static async within<Result>(work: (spool: Spool) => Promise<Result>): Promise<Result> {
    const spool = new Spool(await mkdtemp(join(tmpdir(), 'trivet-import-')));
    try {
      return await work(spool);
    } finally {
      for (const writer of spool.writers.values()) writer.destroy();
      await rm(spool.folder, { recursive: true, force: true });
    }
  }

  /** Returns a path at which there is no file. */
  newPath(): string {
    return join(this.folder, String(++this.count));
  }

  /** Appends a value to a list. */
  async add(list: string, value: unknown): Promise<void> {
    let writer = this.writers.get(list);
    if (!writer) {
      const path = this.newPath();
      writer = createWriteStream(path, { mode: 0o600 });
      this.paths.set(list, path);
      this.writers.set(list, writer);
    }
    if (!writer.write(`${JSON.stringify(value)}\n`)) await once(writer, 'drain');
  }

  /** The values of a list in their order. Nothing can be added to it afterwards. */
  async *values<Value>(list: string): AsyncGenerator<Value> {
    const path = this.paths.get(list);
    if (path === undefined) return;
    await this.finish(list);
    yield* linesOfFile<Value>(path);
  }

  private async finish(list: string): Promise<void> {
    const writer = this.writers.get(list);
    if (!writer) return;
    this.writers.delete(list);
    writer.end();
    await once(writer, 'close');
  }
}

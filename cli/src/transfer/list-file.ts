import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** How far each file of an export is. */
type Places = Record<string, { cursor: string | null; bytes: number; count: number }>;
const PLACES = 'unfinished.json';

/** A page of a list that is read by cursor. */
interface CursorPage {
  readonly data: readonly object[];
  readonly meta: object;
}

/** The files of an export in progress. It can be continued after each page. */
export class ListFiles {
  private constructor(
    private readonly folder: string,
    private readonly places: Places,
  ) {}

  /** Continues what an interrupted export has written into the folder. */
  static async in(folder: string): Promise<ListFiles> {
    await mkdir(folder, { recursive: true });
    const text = await readFile(join(folder, PLACES), 'utf8').catch(() => '{}');
    return new ListFiles(folder, JSON.parse(text) as Places);
  }

  /** Writes a list into a file of JSON lines, from where it ended. Returns the number of lines. */
  async write(
    name: string,
    read: (cursor: string) => Promise<CursorPage>,
    lineOf: (item: never) => Promise<object | undefined> | object,
    wrote: (count: number) => void,
  ): Promise<number> {
    let place = this.places[name] ?? { cursor: '', bytes: 0, count: 0 };
    await mkdir(dirname(join(this.folder, name)), { recursive: true });
    const file = await open(join(this.folder, name), 'a');
    try {
      // A page that was not noted was perhaps written in part.
      await file.truncate(place.bytes);
      while (place.cursor !== null) {
        const { data, meta } = await read(place.cursor);
        let [text, count] = ['', 0];
        for (const item of data) {
          const line = await lineOf(item as never);
          if (!line) continue;
          text += `${JSON.stringify(line)}\n`;
          count++;
        }
        await file.appendFile(text);
        place = {
          cursor: nextCursor(meta),
          bytes: place.bytes + Buffer.byteLength(text),
          count: place.count + count,
        };
        await this.note(name, place);
        wrote(place.count);
      }
    } finally {
      await file.close();
    }
    return place.count;
  }

  private async note(name: string, place: Places[string]): Promise<void> {
    this.places[name] = place;
    const file = join(this.folder, PLACES);
    await writeFile(`${file}.part`, JSON.stringify(this.places));
    await rename(`${file}.part`, file);
  }
}

function nextCursor(meta: CursorPage['meta']): string | null {
  return (meta as { next_cursor?: string | null }).next_cursor ?? null;
}

import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../exit-code.js';

/** How far each file of an export is. */
type Places = Record<string, { cursor: string | null; bytes: number; count: number }>;
const PLACES = 'unfinished.json';

/** What is in the file of the places. */
interface Unfinished {
  /** What is exported: the URL of the service, and the tenant. */
  readonly source: string;
  readonly places: Places;
}

/** A page of a list that is read by cursor. */
interface CursorPage {
  readonly data: readonly object[];
  readonly meta: object;
}

/** The files of an export in progress. It can be continued after each page. */
export class ListFiles {
  private constructor(
    private readonly folder: string,
    private readonly source: string,
    private readonly places: Places,
  ) {}

  /** Continues what an interrupted export of the source has written into the folder. Throws a UsageError if it has another one. */
  static async in(folder: string, source: string): Promise<ListFiles> {
    await mkdir(folder, { recursive: true });
    const before = unfinishedOf(await readFile(join(folder, PLACES), 'utf8').catch(() => undefined));
    if (before && before.source !== source)
      throw new UsageError(`${folder} has an unfinished export of ${before.source}. Name another folder.`);
    return new ListFiles(folder, source, before?.places ?? {});
  }

  /** Removes what the export needs only while it is unfinished. */
  async finish(): Promise<void> {
    await rm(join(this.folder, PLACES), { force: true });
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
    const unfinished: Unfinished = { source: this.source, places: this.places };
    await writeFile(`${file}.part`, JSON.stringify(unfinished));
    await rename(`${file}.part`, file);
  }
}

function unfinishedOf(text: string | undefined): Unfinished | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Unfinished;
  } catch {
    throw new UsageError(`${PLACES} is damaged. Name another folder.`);
  }
}

function nextCursor(meta: CursorPage['meta']): string | null {
  return (meta as { next_cursor?: string | null }).next_cursor ?? null;
}

import type { Session } from '../../session/session.js';
import type { FileDraft } from './model.js';
import type { KnownFile } from './resolve.js';

interface Listed extends KnownFile {
  filename: string;
  created_at: string;
}

/** Files that a run stored which was killed before it wrote their entries. They have the same name and text, and nothing uses them. */
export class UnclaimedFiles {
  private found?: Promise<Map<string, Listed[]>>;

  constructor(
    private readonly session: Session,
    private readonly since: string,
    private readonly claimed: ReadonlySet<string>,
  ) {}

  async take({ url, filename, alt }: FileDraft): Promise<KnownFile | undefined> {
    const files = await (this.found ??= this.list());
    const { trivet, signal } = this.session;
    const waiting = files.get(keyOf(url === undefined ? filename : nameIn(url), alt)) ?? [];
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const { meta } = await trivet.request('listMediaUses', {
        path: { media_id: file.id },
        query: { per_page: 1 },
        signal,
      });
      if ((meta as { total?: number }).total === 0) return { id: file.id, url: file.url, alt };
    }
    return undefined;
  }

  private async list(): Promise<Map<string, Listed[]>> {
    const { trivet, signal } = this.session;
    const files = new Map<string, Listed[]>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = { cursor, per_page: 100 } as never;
      const page = (await trivet.request('listMedia', { query, signal })) as unknown as {
        data: Listed[];
        meta: { next_cursor: string | null };
      };
      for (const file of page.data) {
        // Newest first: those that follow are older than the first run.
        if (file.created_at < this.since) return files;
        if (this.claimed.has(file.id)) continue;
        const key = keyOf(file.filename, file.alt);
        files.set(key, [...(files.get(key) ?? []), file]);
      }
      cursor = page.meta.next_cursor;
    }
    return files;
  }
}

function keyOf(filename: string, alt: string): string {
  return `${filename}\n${alt}`;
}

/** The name that the service gives to a file which it fetches. */
function nameIn(url: string): string {
  const name =
    url
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

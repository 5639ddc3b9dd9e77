import type { Output } from '../../output/output.js';

/** Lines of one kind that are kept. More are only counted. */
const MOST_LINES = 200;

interface Kind {
  message: string;
  count: number;
  where: string[];
}

/** Collects what had no place. */
export class Report {
  private readonly kinds = new Map<string, Kind>();

  /** Notes that something had no place: why, and where it was. */
  add(message: string, where?: string, count = 1): void {
    const kind = this.kinds.get(message) ?? { message, count: 0, where: [] };
    this.kinds.set(message, kind);
    kind.count += count;
    if (where !== undefined && kind.where.length < MOST_LINES) kind.where.push(where);
  }

  get items(): readonly Kind[] {
    return [...this.kinds.values()];
  }

  print(output: Output): void {
    if (this.kinds.size === 0) return output.line('Everything had a place.');
    output.line(output.paint('bold', 'What had no place, or another one:'));
    for (const { message, count, where } of this.kinds.values()) {
      output.line(`- ${message}${count > 1 || where.length === 0 ? ` (${count})` : ''}`);
      for (const place of where) output.line(`    ${place}`);
      if (where.length > 0 && count > where.length) output.line(`    and ${count - where.length} more`);
    }
  }
}

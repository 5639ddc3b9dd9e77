/** Each name is a plan kept by every connection: so many are worth their memory. */
const MAX_NAMES = 100;
/** A text that came so often will come again. */
const OFTEN = 3;
/** Texts that are counted before any of them came often; then counting starts anew. */
const MAX_COUNTED = 1_000;

/** Finds names for statements that are written on the fly, so that those that come again and again are prepared. */
export class PreparedNames {
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** The name to prepare the text under; undefined as long as it is better sent as it is. */
  nameOf(text: string): string | undefined {
    const name = this.names.get(text);
    if (name !== undefined || this.names.size >= MAX_NAMES) return name;
    const count = (this.counts.get(text) ?? 0) + 1;
    if (count >= OFTEN) {
      this.counts.delete(text);
      this.names.set(text, `written.${this.names.size}`);
    } else {
      if (this.counts.size >= MAX_COUNTED) this.counts.clear();
      this.counts.set(text, count);
    }
    return this.names.get(text);
  }
}

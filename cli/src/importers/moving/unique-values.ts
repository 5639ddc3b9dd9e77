import type { FieldDraft } from './model.js';

/** Finds out whether fields that a source calls unique are so: a source may allow more than Trivet does. */
export class UniqueValues {
  private readonly seen = new Map<string, Set<unknown>>();
  private readonly repeated = new Set<string>();

  /** Notes a value of an entry; that of a localized field is an object from code to value. */
  see(slug: string, { name, localized }: FieldDraft, value: unknown): void {
    if (value === undefined || value === null) return;
    if (localized) {
      for (const [code, one] of Object.entries(value)) this.note(`${slug}.${name}`, `${slug}.${name} ${code}`, one);
    } else this.note(`${slug}.${name}`, `${slug}.${name}`, value);
  }

  isRepeated(slug: string, { name }: FieldDraft): boolean {
    return this.repeated.has(`${slug}.${name}`);
  }

  private note(field: string, place: string, value: unknown): void {
    const values = this.seen.get(place) ?? new Set();
    this.seen.set(place, values);
    if (values.has(value)) this.repeated.add(field);
    values.add(value);
  }
}

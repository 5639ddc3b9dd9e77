/** Reasons that are kept for the report, of each kind. */
const KEPT = 100;

/** What a restore did, and what it skipped. */
export class RestoreReport {
  readonly restored: Record<string, number> = {};
  readonly existing: Record<string, number> = {};
  private readonly notRestored: string[] = [];
  private left = 0;
  /** What somebody has to enter again. */
  readonly toEnter: string[] = [];

  add(kind: string, count = 1): void {
    this.restored[kind] = (this.restored[kind] ?? 0) + count;
  }

  /** It is there already. */
  skip(kind: string, count = 1): void {
    this.existing[kind] = (this.existing[kind] ?? 0) + count;
  }

  fail(what: string): void {
    if (this.notRestored.length < KEPT) this.notRestored.push(what);
    else this.left++;
  }

  get failed(): number {
    return this.notRestored.length + this.left;
  }

  get lines(): string[] {
    const counts = (of: Record<string, number>) =>
      Object.entries(of)
        .filter(([, count]) => count > 0)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ') || 'nothing';
    return [
      `Restored: ${counts(this.restored)}.`,
      `There already, and left as it is: ${counts(this.existing)}.`,
      ...(this.failed > 0 ? [`Not restored: ${this.failed}.`] : []),
      ...this.notRestored.map((what) => `  ${what}`),
      ...(this.left > 0 ? [`  and ${this.left} more`] : []),
      ...(this.toEnter.length > 0 ? ['To be entered again:'] : []),
      ...this.toEnter.map((what) => `  ${what}`),
    ];
  }

  get json(): object {
    const { restored, existing, notRestored, left, toEnter } = this;
    return { restored, existing, not_restored: notRestored, more: left, to_enter: toEnter };
  }
}

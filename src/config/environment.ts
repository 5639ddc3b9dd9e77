import { StartError } from './start-error.js';

/** Thrown for an invalid configuration. The message lists every problem by the variable's name and never contains a value. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';

  constructor(readonly problems: string[]) {
    super(['The configuration is not valid:', ...problems].join('\n  - '));
  }
}

/**
 * Reads variables and collects all problems instead of stopping at the first. For an invalid variable, a reader returns the fallback, so
 * that reading continues. An empty variable counts as unset.
 */
export class Environment {
  readonly problems: string[] = [];
  /** Every variable that was read. */
  readonly names = new Set<string>();
  /** By name: what a value must be, for the reference. */
  readonly expectations = new Map<string, string>();

  constructor(private readonly variables: Record<string, string | undefined>) {}

  text(name: string): string | undefined {
    this.names.add(name);
    return this.variables[name]?.trim() || undefined;
  }

  /** Returns the result of `parse`, or the fallback. If `parse` returns undefined, the value is not what `expected` describes. */
  parsed<T, F extends T | undefined>(
    name: string,
    fallback: F,
    expected: string,
    parse: (text: string) => T | undefined,
  ): T | F {
    const text = this.text(name);
    this.expectations.set(name, expected);
    if (text === undefined) return fallback;
    const value = parse(text);
    // Never quote a value: any variable may contain a secret, if only by mistake.
    if (value === undefined) this.problems.push(`${name} must be ${expected}.`);
    return value ?? fallback;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    return this.parsed(name, fallback, `an integer from ${min} to ${max}`, (text) => {
      const value = Number(text);
      return /^\d{1,15}$/.test(text) && value >= min && value <= max ? value : undefined;
    });
  }

  boolean(name: string, fallback: boolean): boolean {
    return this.parsed(name, fallback, 'true or false', (text) =>
      text === 'true' ? true : text === 'false' ? false : undefined,
    );
  }

  oneOf<T extends string>(name: string, fallback: T, choices: readonly T[]): T {
    return this.parsed(name, fallback, `one of ${choices.join(', ')}`, (text) =>
      choices.find((choice) => choice === text),
    );
  }

  matching(name: string, pattern: RegExp, expected: string): string | undefined {
    return this.parsed<string, undefined>(name, undefined, expected, (text) => (pattern.test(text) ? text : undefined));
  }

  /** Reads a comma-separated list in which every item passes `isValid`. */
  list<F extends string[] | undefined>(
    name: string,
    fallback: F,
    expected: string,
    isValid: (item: string) => boolean,
  ): string[] | F {
    return this.parsed<string[], F>(name, fallback, `a comma-separated list of ${expected}`, (text) => {
      const items = text.split(',').map((item) => item.trim());
      return items.every(isValid) ? items : undefined;
    });
  }

  /** Throws a ConfigError if any variable that was read so far is invalid. */
  assertValid(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }
}

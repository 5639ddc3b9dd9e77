import { createHash, type Hash } from 'node:crypto';
import type { SlicedWork } from '../admission/sliced-work.js';

/** Characters that one step reads. */
const PIECE = 16 * 1024;

/** 128 bits: two values have the same digest only if somebody searches for them. */
const DIGEST_BYTES = 16;

/**
 * Digests a value that `JSON.parse` returned, in steps. Equal values have equal digests; the order of the names in an object does not matter.
 * Returns 22 characters of base64url.
 */
export function* digestSliced(value: unknown): SlicedWork<string> {
  const writer = new DigestWriter(createHash('sha256'));
  yield* writer.value(value);
  return writer.digest();
}

class DigestWriter {
  private text = '';
  private length = 0;

  constructor(private readonly hash: Hash) {}

  *value(value: unknown): SlicedWork<void> {
    if (typeof value !== 'object' || value === null) {
      this.add(JSON.stringify(value));
    } else if (Array.isArray(value)) {
      this.add('[');
      for (const element of value as unknown[]) {
        if (isContainer(element)) yield* this.value(element);
        else this.add(JSON.stringify(element));
        this.add(',');
        if (this.isFull) yield this.flush();
      }
      this.add(']');
    } else {
      this.add('{');
      const object = value as Record<string, unknown>;
      for (const name of Object.keys(object).sort()) {
        this.add(`${JSON.stringify(name)}:`);
        const member = object[name];
        if (isContainer(member)) yield* this.value(member);
        else this.add(JSON.stringify(member));
        this.add(',');
        if (this.isFull) yield this.flush();
      }
      this.add('}');
    }
  }

  digest(): string {
    this.flush();
    return this.hash.digest().subarray(0, DIGEST_BYTES).toString('base64url');
  }

  private add(text: string): void {
    this.text += text;
    this.length += text.length;
  }

  private get isFull(): boolean {
    return this.length >= PIECE;
  }

  private flush(): undefined {
    this.hash.update(this.text);
    this.text = '';
    this.length = 0;
  }
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

import type { ValueErrorCode } from '../../errors/value-errors.js';
import type { Validation } from '../check.js';
import type { FieldType } from '../field-type.js';
import { countCodePoints } from '../formats/text.js';

/** The check of an attribute of a definition from a request, or of an element of one that is a list. */
export class AttributeCheck {
  constructor(
    private readonly name: string,
    private readonly path: string,
    private readonly validation: Validation,
    /** The type of the definition; undefined if it is not known. */
    readonly type: FieldType | undefined,
    /** The error of each pattern in the request, by its source; undefined if it is valid. */
    readonly patternFaults: ReadonlyMap<string, string | undefined>,
  ) {}

  /** Reports an error. `predicate` continues a sentence that begins with the attribute's name. */
  fault(code: ValueErrorCode, predicate: string): void {
    this.validation.add(this.path, code, `${this.name} ${predicate}.`);
  }

  /** Returns the check of an element of the list, which messages call `option 1`, for example. */
  element(noun: string, index: number): AttributeCheck {
    const path = `${this.path}.${index}`;
    return new AttributeCheck(`${noun} ${index + 1}`, path, this.validation, this.type, this.patternFaults);
  }
}

export function checkBoolean(value: unknown, check: AttributeCheck): void {
  if (typeof value !== 'boolean') check.fault('type', 'must be a boolean');
}

/** Returns the check of a string that has at most `max` characters. */
export function checkString(max: number): (value: unknown, check: AttributeCheck) => void {
  return (value, check) => {
    if (typeof value !== 'string') return check.fault('type', 'must be a string');
    if (isLonger(value, max)) check.fault('too_long', `must have at most ${max} characters`);
  };
}

/** Checks a list of 1 to `max` elements. Messages call it a list of `nouns`, and each element a `noun`. */
export function checkList(
  value: unknown,
  check: AttributeCheck,
  { max, noun, nouns }: { max: number; noun: string; nouns: string },
  checkElement: (element: unknown, check: AttributeCheck, isRepeated: boolean) => void,
): void {
  if (!Array.isArray(value)) return check.fault('type', `must be a list of ${nouns}`);
  if (value.length < 1 || value.length > max) return check.fault('length', `must have between 1 and ${max} values`);
  const seen = new Set<unknown>();
  for (const [index, element] of (value as unknown[]).entries()) {
    checkElement(element, check.element(noun, index), seen.has(element));
    seen.add(element);
  }
}

/** Whether a text has more than `max` characters. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && countCodePoints(text) > max;
}

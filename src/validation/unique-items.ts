import { ValidateBy } from 'class-validator';

/** What a list of a body may be. */
interface ListRule {
  /** The longest list that is allowed. A longer one is not looked at: `ArrayMaxSize` reports it. */
  max: number;
  message: string;
}

/**
 * For lists whose items must be different. `ArrayUnique` of class-validator compares each item with all before it, so that one request with a
 * long list keeps the process busy for seconds. This looks at each item once. `identify` returns what makes an item the same as another one, as a
 * value that a `Set` compares.
 */
export function UniqueItems(
  { max, message }: ListRule,
  identify: (item: unknown) => unknown = (item) => item,
): PropertyDecorator {
  return listCheck('uniqueItems', message, (items) => items.length > max || areDifferent(items, identify));
}

/** For lists all of whose items must be valid. */
export function EachItem({ max, message }: ListRule, isValid: (item: unknown) => boolean): PropertyDecorator {
  return listCheck('eachItem', message, (items) => items.length > max || items.every(isValid));
}

/** What is no list is left to `IsArray`. */
function listCheck(name: string, message: string, isValid: (items: unknown[]) => boolean): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => !Array.isArray(value) || isValid(value as unknown[]),
      defaultMessage: () => message,
    },
  });
}

function areDifferent(items: readonly unknown[], identify: (item: unknown) => unknown): boolean {
  const known = new Set<unknown>();
  for (const item of items) {
    const identity = identify(item);
    if (known.has(identity)) return false;
    known.add(identity);
  }
  return true;
}

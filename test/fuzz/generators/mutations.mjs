/** Changes one place in a JSON value, which makes a valid body nearly valid. */
import fc from 'fast-check';
import { hostileValue, objectOf, Raw, toJsonText } from './json.mjs';
import { FIELD_NAMES } from './texts.mjs';

const isContainer = (value) => value !== null && typeof value === 'object' && !(value instanceof Raw);

/** The paths of all parts of a value, starting with the value itself. */
export function placesOf(value, path = []) {
  if (!isContainer(value)) return [path];
  const entries = Array.isArray(value) ? value.map((one, index) => [index, one]) : Object.entries(value);
  return [path, ...entries.flatMap(([name, one]) => placesOf(one, [...path, name]))];
}

/** A copy in which `change` was applied at the path. The result undefined removes that part. */
export function changeAt(value, [name, ...rest], change) {
  if (name === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => {
      const changed = index === name ? changeAt(one, rest, change) : one;
      return changed === undefined ? [] : [changed];
    });
  }
  const entries = Object.entries(value).map(([key, one]) => [key, key === name ? changeAt(one, rest, change) : one]);
  return objectOf(entries.filter(([, one]) => one !== undefined));
}

const change = fc.oneof(
  { weight: 6, arbitrary: hostileValue.map((value) => () => value) },
  { weight: 2, arbitrary: fc.constant(() => undefined) },
  { weight: 1, arbitrary: fc.constant((value) => [value]) },
  { weight: 1, arbitrary: fc.constant((value) => [value, value]) },
  { weight: 1, arbitrary: fc.constant((value) => ({ value })) },
  { weight: 1, arbitrary: fc.constant((value) => (isContainer(value) ? toJsonText(value) : String(value))) },
  { weight: 2, arbitrary: fc.constantFrom(...FIELD_NAMES).chain(withProperty) },
  { weight: 1, arbitrary: fc.nat(200).map(renameProperty) },
  { weight: 1, arbitrary: fc.nat(200).map(repeatProperty) },
  { weight: 1, arbitrary: fc.constant(manyProperties) },
);

/** A copy of the value with one change; undefined if nothing is left. */
export function mutated(value) {
  const places = placesOf(value);
  return fc.tuple(fc.nat(places.length - 1), change).map(([place, apply]) => changeAt(value, places[place], apply));
}

function withProperty(name) {
  return hostileValue.map((added) => (value) => {
    if (!isContainer(value)) return added;
    return Array.isArray(value) ? [...value, added] : objectOf([...Object.entries(value), [name, added]]);
  });
}

function renameProperty(choice) {
  return (value) => {
    if (!isContainer(value) || Array.isArray(value)) return value;
    const entries = Object.entries(value);
    const name = FIELD_NAMES[choice % FIELD_NAMES.length];
    return objectOf(entries.map(([key, one], index) => [index === choice % entries.length ? name : key, one]));
  };
}

function repeatProperty(choice) {
  return (value) => {
    if (!isContainer(value) || Array.isArray(value)) return Array.isArray(value) ? [...value, ...value] : value;
    const entries = Object.entries(value);
    if (entries.length === 0) return value;
    const [name, one] = entries[choice % entries.length];
    return new Raw(`${toJsonText(value).slice(0, -1)},${JSON.stringify(name)}:${toJsonText(one)}}`);
  };
}

function manyProperties(value) {
  if (!isContainer(value) || Array.isArray(value)) return value;
  const more = Array.from({ length: 1_000 }, (_, index) => [`more${index}`, index]);
  return objectOf([...Object.entries(value), ...more]);
}

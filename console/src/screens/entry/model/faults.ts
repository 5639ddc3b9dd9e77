import type { FieldDefinition } from '../../../api/content-types';
import type { EntryFields } from '../../../api/entry';
import type { ApiProblem } from '../../../api/problem';
import { labelOf } from '../../content/fields';
import type { Fault } from './form-store';
import { isRecord, isThere, Unreadable } from './values';

type Definitions = readonly FieldDefinition[];

/** Types whose `min` and `max` are those of a length. */
const TEXTS = ['text', 'rich_text', 'email', 'url'];

/** What can be said of these fields without asking the service: where one of them holds what cannot be sent, or is too long. */
export function faultsIn(definitions: Definitions, values: EntryFields, names: readonly string[]): readonly Fault[] {
  const concerned = definitions.filter(({ name }) => names.includes(name));
  return concerned.flatMap((definition) => faultsOf(definition, values[definition.name], definition.name));
}

function faultsOf(definition: FieldDefinition, value: unknown, path: string): readonly Fault[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && isListOf(definition)) {
    return value.flatMap((item, index) => faultsOfOne(definition, item, `${path}.${index}`));
  }
  return faultsOfOne(definition, value, path);
}

function faultsOfOne(definition: FieldDefinition, value: unknown, path: string): readonly Fault[] {
  const label = labelOf(definition);
  if (value instanceof Unreadable) {
    return [{ path, message: value.message, summary: `${label} ${value.summary}` }];
  }
  const inner = innerFields(definition, value);
  if (inner && isRecord(value)) {
    return inner.flatMap((each) => faultsOf(each, value[each.name], `${path}.${each.name}`));
  }
  const { type, max } = definition;
  if (!TEXTS.includes(type) || max === undefined || typeof value !== 'string' || value.length <= max) return [];
  const length = [...value].length;
  if (length <= max) return [];
  const message = `${label} must have at most ${max} characters. It has ${length}.`;
  return [{ path, message, summary: `${label} is too long` }];
}

/** Whether a value of the field is a list. */
function isListOf({ type, multiple }: FieldDefinition): boolean {
  return multiple === true || type === 'blocks';
}

/** The fields inside a group or block with this value. Undefined if the field holds none. */
export function innerFields({ type, fields, blocks }: FieldDefinition, value: unknown): Definitions | undefined {
  if (type === 'group') return fields ?? [];
  if (type !== 'blocks') return undefined;
  const name = isRecord(value) ? value['block'] : undefined;
  return blocks?.find((block) => block.name === name)?.fields ?? [];
}

/** The code of the language that a form shows, and those of all. */
interface FormLanguage {
  readonly code: string;
  readonly codes: readonly string[];
}

/**
 * What the service says about values, where the form shows it. What is about nothing in the form is left out, such as values of other
 * languages.
 */
export function faultsFrom(
  { errors }: ApiProblem,
  definitions: Definitions,
  values: EntryFields,
  language?: FormLanguage,
): readonly Fault[] {
  return errors.flatMap(({ path, code, message }) => {
    const [name = '', ...steps] = path.replace(/^fields\./, '').split('.');
    const isOfOne = isLocalizedIn(definitions, name) && language?.codes.includes(steps[0] ?? '') === true;
    if (isOfOne && steps.shift() !== language.code) return [];
    const place = placeOf(definitions, values, [name, ...steps]);
    return place ? { path: place.path, ...wordsFor(code, message, place.label) } : [];
  });
}

function isLocalizedIn(definitions: Definitions, name: string): boolean {
  return definitions.some((each) => each.name === name && each.localized === true);
}

const SUMMARIES: Readonly<Record<string, string>> = { too_long: 'is too long', too_short: 'is too short' };

/** The service names a value by its path. A person knows it by its label. */
function wordsFor(code: string, message: string, label: string): Omit<Fault, 'path'> {
  const predicate = message.replace(/^[\w.]+ /, '');
  return {
    message: predicate === message ? message : `${label} ${predicate}`,
    summary: `${label} ${SUMMARIES[code] ?? predicate.replace(/\.$/, '')}`,
  };
}

interface Place {
  readonly path: string;
  readonly label: string;
}

/** Where the form shows the value that a path of the service, such as `sections.2.title`, leads to. Undefined if it shows no part of it. */
export function pathInForm(path: string, definitions: Definitions, values: EntryFields): string | undefined {
  return placeOf(definitions, values, path.split('.'))?.path;
}

/** The innermost field that a path of the service leads to. Lists of the form may have gaps that were not sent. */
function placeOf(
  definitions: Definitions,
  values: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
): Place | undefined {
  const definition = definitions.find((each) => each.name === name);
  if (!definition) return undefined;
  let value = values[name];
  let path = name;
  if (isListOf(definition) && Array.isArray(value) && rest.length > 0) {
    const index = indexWithGaps(value, Number(rest.shift()));
    path = `${name}.${index}`;
    value = (value as unknown[])[index];
  }
  const inner = rest.length > 0 ? innerFields(definition, value) : undefined;
  const place = inner && placeOf(inner, isRecord(value) ? value : {}, rest);
  return place ? { ...place, path: `${path}.${place.path}` } : { path, label: labelOf(definition) };
}

function indexWithGaps(list: readonly unknown[], sentIndex: number): number {
  const sent = [...list.keys()].filter((index) => isThere(list[index]));
  return sent[sentIndex] ?? sentIndex;
}

import { Problem } from '../errors/problem.js';
import { listed, suggestion } from '../validation/suggestion.js';
import { shorten } from './formats/text.js';

/** 400 for a parameter that names an unknown field. `known` are the names that are possible there. */
export function unknownField(parameter: string, name: string, known: readonly string[], noun = 'field'): Problem {
  const message = `There is no ${noun} ${shorten(name)}.${suggestion(name, known)}`;
  const detail = known.length > 0 ? `${message} The possible names are ${listed(known)}.` : message;
  return new Problem('unknown_field', detail, [{ path: parameter, code: 'unknown_field', message }]);
}

/** `title:asc`, `title desc` and `title_desc`, as other services write it. A `+` in a URL is a space. */
const DIRECTION = /^[ +]?(.+?)[\s:._-]+(asc|desc)(?:ending)?$/i;

/** 400 for an unknown name in `sort`. Explains how to write a direction if the name contains one. */
export function unknownSortField(name: string, known: readonly string[]): Problem {
  const [, field = /^[ +](.+)$/.exec(name)?.[1]] = DIRECTION.exec(name) ?? [];
  if (field === undefined || !known.includes(field)) return unknownField('sort', name, known);
  const message = `To sort by ${field}, send sort=${field} for ascending or sort=-${field} for descending order.`;
  return Problem.parameter('sort', message, 'unknown_field');
}

import { ApiProblem } from '../../../api/problem';
import type { DefinedField } from '../../../api/type-changes';

type Node = DefinedField | readonly DefinedField[] | DefinedField['blocks'];

/** The service counts definitions from 0, and people know them by their labels. */
export function inLabels(error: unknown, fields: readonly DefinedField[]): unknown {
  if (!(error instanceof ApiProblem) || error.errors.length === 0) return error;
  const said = error.errors.map(({ path, message }) => {
    const place = placeOf(path, fields);
    if (place === '') return message;
    return `${place}: ${message.startsWith(`${path} `) ? `${path.split('.').at(-1)}${message.slice(path.length)}` : message}`;
  });
  return new Error(said.join('\n'));
}

/** `fields.2.fields.0.max` → `SEO › Title` */
function placeOf(path: string, fields: readonly DefinedField[]): string {
  const labels: string[] = [];
  let at: unknown = { fields };
  for (const step of path.split('.')) {
    at = (at as Readonly<Record<string, Node>> | undefined)?.[step];
    if (at === undefined) break;
    if (/^\d+$/.test(step)) labels.push((at as DefinedField).label || (at as DefinedField).name);
  }
  return labels.join(' › ');
}

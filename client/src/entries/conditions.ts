import type { QueryValue } from '../transport/url.js';

type Operators = Readonly<Record<string, unknown>>;
type Conditions = Readonly<Record<string, unknown>>;

/** Returns the parameters of conditions: `filter[field][operator]` for each, and `where` as JSON. */
export function conditionParameters(filter: object | undefined, where: object | undefined): Record<string, QueryValue> {
  const parameters: Record<string, QueryValue> = {};
  const others: Conditions[] = where ? [where as Conditions] : [];
  for (const [field, condition] of Object.entries(filter ?? {})) {
    for (const [operator, value] of Object.entries(operatorsOf(condition))) {
      const parameter = parameterOf(operator, value);
      if (parameter) parameters[`filter[${field}]${parameter.operator}`] = parameter.value;
      else if (value !== undefined) others.push({ [field]: { [operator]: value } });
    }
  }
  const [first, ...more] = others;
  if (first) parameters['where'] = JSON.stringify(more.length > 0 ? { and: others } : first);
  return parameters;
}

function operatorsOf(condition: unknown): Operators {
  return typeof condition === 'object' && condition !== null ? (condition as Operators) : { eq: condition };
}

/** Returns undefined for what a parameter cannot say: nothing, and lists that are empty or have a comma in a value. */
function parameterOf(operator: string, value: unknown): { operator: string; value: QueryValue } | undefined {
  if (value === undefined) return undefined;
  if (value === null) return { operator: '[exists]', value: operator === 'ne' };
  if (Array.isArray(value)) {
    const texts = value.map(String);
    return texts.length > 0 && texts.every((text) => text !== '' && !text.includes(','))
      ? { operator: `[${operator}]`, value: texts.join(',') }
      : undefined;
  }
  return { operator: operator === 'eq' ? '' : `[${operator}]`, value: value as QueryValue };
}

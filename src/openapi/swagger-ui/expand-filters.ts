/**
 * Runs in the browser, for Swagger UI, which sends nested objects of a query as JSON: `filter[title]={"contains":"tea"}` becomes
 * `filter[title][contains]=tea`. The browser receives only the text of this function, so it must not refer to anything outside itself.
 */
export function expandFilters<R extends { url: string }>(request: R): R {
  const [path = '', query] = request.url.split('?');
  if (query === undefined) return request;
  const expanded = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query)) {
    let operators: unknown;
    try {
      operators = name.startsWith('filter[') ? JSON.parse(value) : undefined;
    } catch {
      operators = undefined;
    }
    if (operators === null || typeof operators !== 'object') expanded.append(name, value);
    else
      for (const [operator, operand] of Object.entries(operators))
        expanded.append(`${name}[${operator}]`, String(operand));
  }
  request.url = `${path}?${expanded.toString()}`;
  return request;
}

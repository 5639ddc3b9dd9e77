/**
 * The `operationId` of a handler, which generated clients take as the name of a method. `EntriesController.get` is `getEntry`, and `list` is
 * `listEntries`. A handler whose name has several words, such as `exportEntries`, gives the whole name.
 */
export function operationId(controller: string, handler: string): string {
  if (/[A-Z]/.test(handler)) return handler;
  const nouns = controller.replace(/Controller$/, '');
  return handler + (handler === 'list' ? nouns : singularOf(nouns));
}

function singularOf(nouns: string): string {
  return nouns.endsWith('ies') ? `${nouns.slice(0, -3)}y` : nouns.replace(/s$/, '');
}

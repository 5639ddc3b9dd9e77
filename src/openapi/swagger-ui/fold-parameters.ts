/** What `foldParameters` reads of an OpenAPI document. */
export interface FoldableDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Runs in the browser: folds the long descriptions of parameters to their first sentence, with HTML that Swagger UI shows in Markdown. It
 * must not refer to anything outside itself.
 */
export function foldParameters({ paths = {} }: FoldableDocument): void {
  const longest = 240;
  type Operation = { parameters?: { description?: string }[] };
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path) as Operation[])) {
    for (const parameter of operation.parameters ?? []) {
      const { description = '' } = parameter;
      // A sentence ends before a space or a list, and not in the middle of code.
      const [, first, rest] = /^((?:`[^`]*`|[^`])+?[.:])\s+(\S[^]*)$/.exec(description) ?? [];
      if (!first || !rest || description.length <= longest) continue;
      parameter.description = `<details><summary>${first}</summary>\n\n${rest}\n\n</details>`;
    }
  }
}

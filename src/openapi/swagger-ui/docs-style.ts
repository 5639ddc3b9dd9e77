/** What Swagger UI's own style lacks. */
export const DOCS_STYLE = `
html { box-sizing: border-box; overflow-y: scroll; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; background: #fafafa; }
html.dark-mode body { background: #1c2022; }
noscript { display: block; padding: 2rem; font-family: sans-serif; }

/* Every problem has the same shape, which the introduction shows. */
.swagger-ui .response:is([data-code^="4"], [data-code^="5"]) > .response-col_description > :not(.response-col_description__inner) { display: none; }
.swagger-ui .live-responses-table .response > .response-col_description > * { display: block !important; }

/* The document has no links between operations. */
.swagger-ui .response-col_links { display: none; }

/* A long description of a parameter is folded to its first sentence (\`foldParameters\`). */
.swagger-ui .parameters summary { cursor: pointer; }
.swagger-ui .parameters details > p:empty { display: none; }

/* The operations come first. */
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .scheme-container { margin: 0 0 16px; padding: 16px 0; }

/* Long paths and names wrap rather than widen the page. */
.swagger-ui .opblock .opblock-summary-path { overflow-wrap: anywhere; }
.swagger-ui :is(.markdown, .renderedMarkdown) code { overflow-wrap: anywhere; white-space: normal; }
.swagger-ui :is(.markdown, .renderedMarkdown) pre > code { display: block; padding: 12px; white-space: pre-wrap; }

@media (max-width: 640px) {
  .swagger-ui .wrapper, .swagger-ui .opblock-description-wrapper, .swagger-ui .responses-inner { padding-inline: 12px; }
  .swagger-ui .info { margin: 24px 0; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 1; padding: 8px 0 0; }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap; gap: 16px; }

  /* Tables of parameters and responses become lists. */
  .swagger-ui :is(.parameters, .responses-table), .swagger-ui :is(.parameters, .responses-table) > :is(tbody, tbody > tr) { display: block; width: 100%; }
  .swagger-ui :is(.parameters, .responses-table) > thead { display: none; }
  .swagger-ui :is(.parameters, .responses-table) > tbody > tr { padding: 8px 0; }
  .swagger-ui :is(.parameters, .responses-table) > tbody > tr > td:not(.response-col_links) { display: block; width: 100%; max-width: none; min-width: 0; padding: 4px 0; }
  .swagger-ui :is(.parameters, .responses-table) :is(input, select, textarea) { max-width: 100%; width: 100%; }
  .swagger-ui .parameters input[type="checkbox"] { width: auto; }

  /* A table in a description scrolls by itself. */
  .swagger-ui :is(.markdown, .renderedMarkdown) table { display: block; overflow-x: auto; }
}
`;

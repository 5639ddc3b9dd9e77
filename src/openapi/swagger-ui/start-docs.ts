import type { expandFilters } from './expand-filters.js';
import type { filterOperations } from './filter-operations.js';
import type { FoldableDocument, foldParameters } from './fold-parameters.js';

/** What the script of the page uses of the browser and of Swagger UI. */
export interface Browser {
  document: {
    documentElement: { classList: { add(name: string): void } };
    getElementById(id: string): { dataset: { document?: string }; textContent: string } | null;
  };
  location: { href: string };
  matchMedia(query: string): { matches: boolean };
  fetch(url: string): Promise<{ ok: boolean; status: number; json(): Promise<object> }>;
  SwaggerUIBundle: { (options: object): unknown; presets: { apis: unknown } };
}

/** The other functions of the script. */
interface Helpers {
  requestInterceptor: typeof expandFilters;
  opsFilter: typeof filterOperations;
  fold: typeof foldParameters;
}

/** What the script reads of the document. */
interface ShownDocument extends FoldableDocument {
  servers?: { url: string }[];
  info?: { description?: string };
  tags?: { externalDocs?: { url: string } }[];
}

/**
 * Runs in the browser: shows the OpenAPI document with Swagger UI, ready to authorize and try out. Requests and links go to the origin that
 * served the page, even if `PUBLIC_URL` is another one, because the policy of the page allows no other origin. The browser receives only the
 * text of this function, so it must not refer to anything outside itself.
 */
export async function startDocs(browser: Browser, { requestInterceptor, opsFilter, fold }: Helpers): Promise<void> {
  const { document, location } = browser;
  if (browser.matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode');
  const place = document.getElementById('swagger-ui');
  if (!place) return;
  const url = new URL(place.dataset.document ?? '', location.href);
  const response = await browser.fetch(url.href);
  if (!response.ok) {
    place.textContent = `The service responded with ${response.status}. Load the page again.`;
    return;
  }
  const spec = (await response.json()) as ShownDocument;
  const here = new URL('.', url).href.replace(/\/$/, '');
  const there = (spec.servers?.[0]?.url ?? '').replace(/\/$/, '');
  spec.servers = [{ url: here }];
  if (spec.info?.description) spec.info.description = spec.info.description.replaceAll(`](${there}/`, `](${here}/`);
  for (const { externalDocs } of spec.tags ?? []) {
    if (externalDocs) externalDocs.url = externalDocs.url.replace(`${there}/`, `${here}/`);
  }
  fold(spec);
  browser.SwaggerUIBundle({
    spec,
    domNode: place,
    presets: [browser.SwaggerUIBundle.presets.apis],
    plugins: [{ fn: { opsFilter } }],
    filter: true,
    deepLinking: true,
    persistAuthorization: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    requestInterceptor,
  });
}

import type { expandFilters } from './expand-filters.js';

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

/**
 * Runs in the browser: shows the OpenAPI document with Swagger UI, ready to authorize and try out. Requests go to the origin that served the
 * page, even if `PUBLIC_URL` is another one, because the policy of the page allows no other origin. The browser receives only the text of
 * this function, so it must not refer to anything outside itself.
 */
export async function startDocs(browser: Browser, requestInterceptor: typeof expandFilters): Promise<void> {
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
  const servers = [{ url: new URL('.', url).href.replace(/\/$/, '') }];
  browser.SwaggerUIBundle({
    spec: { ...(await response.json()), servers },
    domNode: place,
    presets: [browser.SwaggerUIBundle.presets.apis],
    deepLinking: true,
    persistAuthorization: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    requestInterceptor,
  });
}

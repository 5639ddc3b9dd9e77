import { runInNewContext } from 'node:vm';
import { expandFilters } from './expand-filters.js';
import { type Browser, startDocs } from './start-docs.js';

/** A browser at a URL whose service returns the status and the document. */
function browserAt(href: string, { status = 200, document = {}, isDark = false } = {}) {
  const place = { dataset: { document: '../openapi.json' }, textContent: '' };
  const [shown, fetched, classes]: [Record<string, unknown>[], string[], string[]] = [[], [], []];
  const browser: Browser = {
    document: {
      documentElement: { classList: { add: (name) => classes.push(name) } },
      getElementById: () => place,
    },
    location: { href },
    matchMedia: () => ({ matches: isDark }),
    fetch: (url) => {
      fetched.push(url);
      return Promise.resolve({ ok: status < 400, status, json: () => Promise.resolve(document) });
    },
    SwaggerUIBundle: Object.assign((options: object) => shown.push(options as Record<string, unknown>), {
      presets: { apis: [] },
    }),
  };
  return { browser, place, shown, fetched, classes };
}

describe('startDocs', () => {
  it('shows the document with the service that served it as the only server', async () => {
    const { browser, shown, fetched } = browserAt('https://cms.example/base/docs/', {
      document: { openapi: '3.1.0', servers: [{ url: 'https://elsewhere.example' }] },
    });
    await startDocs(browser, expandFilters);
    expect(fetched).toEqual(['https://cms.example/base/openapi.json']);
    expect(shown).toEqual([
      expect.objectContaining({ spec: { openapi: '3.1.0', servers: [{ url: 'https://cms.example/base' }] } }),
    ]);
  });

  it('says so when the document could not be loaded', async () => {
    const { browser, place, shown } = browserAt('https://cms.example/docs/', { status: 503 });
    await startDocs(browser, expandFilters);
    expect(shown).toEqual([]);
    expect(place.textContent).toBe('The service responded with 503. Load the page again.');
  });

  it.each([true, false])('follows the colors of the system (dark: %s)', async (isDark) => {
    const { browser, classes } = browserAt('https://cms.example/docs/', { isDark });
    await startDocs(browser, expandFilters);
    expect(classes).toEqual(isDark ? ['dark-mode'] : []);
  });

  it('refers to nothing outside itself', async () => {
    const { browser, shown } = browserAt('https://cms.example/docs/');
    const alone = runInNewContext(`(${startDocs.toString()})`, { URL }) as typeof startDocs;
    await alone(browser, expandFilters);
    expect(shown).toHaveLength(1);
  });
});

import { runInNewContext } from 'node:vm';
import { expandFilters } from './expand-filters.js';
import { filterOperations } from './filter-operations.js';
import { foldParameters } from './fold-parameters.js';
import { type Browser, startDocs } from './start-docs.js';

const HELPERS = { requestInterceptor: expandFilters, opsFilter: filterOperations, fold: foldParameters };

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
    await startDocs(browser, HELPERS);
    expect(fetched).toEqual(['https://cms.example/base/openapi.json']);
    expect(shown).toEqual([
      expect.objectContaining({ spec: { openapi: '3.1.0', servers: [{ url: 'https://cms.example/base' }] } }),
    ]);
  });

  it.each(['https://elsewhere.example', '/'])(
    'leads to the guides of that service, also from a document for %s',
    async (url) => {
      const there = url.replace(/\/$/, '');
      const { browser, shown } = browserAt('https://cms.example/base/docs/', {
        document: {
          servers: [{ url }],
          info: {
            description: `See the [guides](${there}/guides) and [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457).`,
          },
          tags: [{ name: 'Entries', externalDocs: { url: `${there}/guides/reference/entries` } }, { name: 'Others' }],
        },
      });
      await startDocs(browser, HELPERS);
      expect(shown[0]?.['spec']).toMatchObject({
        info: {
          description:
            'See the [guides](https://cms.example/base/guides) and [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457).',
        },
        tags: [{ externalDocs: { url: 'https://cms.example/base/guides/reference/entries' } }, { name: 'Others' }],
      });
    },
  );

  it('says so when the document could not be loaded', async () => {
    const { browser, place, shown } = browserAt('https://cms.example/docs/', { status: 503 });
    await startDocs(browser, HELPERS);
    expect(shown).toEqual([]);
    expect(place.textContent).toBe('The service responded with 503. Load the page again.');
  });

  it.each([true, false])('follows the colors of the system (dark: %s)', async (isDark) => {
    const { browser, classes } = browserAt('https://cms.example/docs/', { isDark });
    await startDocs(browser, HELPERS);
    expect(classes).toEqual(isDark ? ['dark-mode'] : []);
  });

  it('refers to nothing outside itself', async () => {
    const { browser, shown } = browserAt('https://cms.example/docs/');
    const alone = runInNewContext(`(${startDocs.toString()})`, { URL }) as typeof startDocs;
    const fold = runInNewContext(`(${foldParameters.toString()})`) as typeof foldParameters;
    await alone(browser, { ...HELPERS, fold });
    expect(shown).toHaveLength(1);
  });
});

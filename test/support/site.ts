import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const CLIENT = join(process.cwd(), 'client/dist');

/** Shows an entry with the client of the live preview: what tests look for, and a place for each value. */
const page = (console: string) => `<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width" />
  <title>A site</title>
  <style>body { font: 16px sans-serif; margin: 24px } h1 { font-size: 32px } section { border-top: 1px solid #ccc }</style>
  <main aria-label="Site">
    <h1 data-trivet-field="title">Loading</h1>
    <p data-trivet-field="seo.description"></p>
    <div id="sections"></div>
    <p><a href="/elsewhere" data-trivet-field="author">The author</a></p>
  </main>
  <script type="module">
    import { livePreview } from '/client/preview.js';
    const show = ({ fields }) => {
      document.querySelector('h1').textContent = fields.title ?? '';
      document.querySelector('p').textContent = fields.seo?.description ?? '';
      document.querySelector('#sections').replaceChildren(...(fields.sections ?? []).map((block, index) => {
        const section = document.createElement('section');
        section.dataset.trivetField = 'sections.' + index + '.text';
        section.textContent = block.text ?? '';
        return section;
      }));
    };
    livePreview({ origin: '${new URL(console).origin}', onChange: (entry) => { window.shown = entry; show(entry); } });
  </script>
</html>`;

/** A small website on an origin of its own. */
export interface Site {
  origin: string;
  /** The paths of its pages that were asked for, with their queries. */
  asked: string[];
  server: Server;
}

interface Places {
  /** The address of the console, which is known later. */
  console: () => string;
  /** Where `/elsewhere` leads. */
  away?: () => string;
}

export async function startSite({ console, away }: Places): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site');
    if (pathname.startsWith('/client/')) {
      void readFile(join(CLIENT, pathname.slice('/client/'.length))).then((script) => {
        response.setHeader('Content-Type', 'text/javascript').end(script);
      });
      return;
    }
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    asked.push(pathname + search);
    if (pathname === '/elsewhere' && away) return void response.writeHead(302, { Location: away() }).end();
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page(console()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

import { createHash } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Config } from '../../config/config.js';

const STYLE = `
:root { color-scheme: light dark }
body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 4rem auto; padding: 0 1rem }
li { margin: 0.4rem 0 }
`;

/** The only style that the page may use. It loads nothing, not even an icon. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Shows a browser that opens `/` what runs here. Every other request continues, and gets the same 404 as for any unknown path. */
export function homePage(role: Config['role'], hasConsole: boolean): RequestHandler {
  const page = role === 'worker' ? WORKER : hasConsole ? api(CONSOLE) : api('');
  return (request: Request, response: Response, next: NextFunction) => {
    if (request.path !== '/' || !/^(GET|HEAD)$/.test(request.method)) return next();
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html') return next();
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Length', Buffer.byteLength(page));
    // Node sends no body in response to HEAD.
    response.end(page);
  };
}

/** The links are relative, so that they work behind a proxy that serves Trivet below a path. */
const api = (console: string) =>
  html(`<p>This is a headless service for content, forms, webhooks and media, with one REST API.</p>
<ul>
${console}<li><a href="guides">Guides</a>: how to use and operate the service, with a search</li>
<li><a href="docs">API reference</a>: every operation, to read and to try</li>
<li><a href="openapi.json">openapi.json</a>: the same for programs</li>
<li><a href="health/ready">Health</a>: whether the service can work now</li>
</ul>`);

const CONSOLE = `<li><a href="console">Console</a>: to sign in, and to work with a browser</li>
`;

const WORKER = html(`<p>This process is a worker: it delivers webhooks and sends email. It serves no API.</p>
<ul>
<li><a href="health/ready">Health</a>: whether the worker can work now</li>
</ul>`);

/** Escapes nothing, because all texts are constants. */
function html(body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Trivet</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Trivet</h1>
${body}
</body>
</html>
`;
}

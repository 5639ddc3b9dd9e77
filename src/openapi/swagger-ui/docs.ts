import type { NestExpressApplication } from '@nestjs/platform-express';
import { sendProblem } from '../../http/problem.filter.js';
import { Problem } from '../../errors/problem.js';
import { Config } from '../../config/config.js';
import { ApiDocument } from '../api-document.js';
import { docsPage } from './docs-page.js';
import { type DocsFiles, readDocsFiles } from './docs-files.js';
import { apiDocument } from '../document.js';
import { ServedDocument } from '../served-document.js';

/** Swagger UI loads scripts and styles, shows images that its style contains, and sends requests only to this service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The name of a file contains its hash, so its contents never change. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Serves the document at `/openapi.json` and Swagger UI at `/docs`. */
export function setUpDocs(app: NestExpressApplication): void {
  const document = app.get(ApiDocument);
  document.generateWith(() => apiDocument(app));
  const served = new ServedDocument(app.get(Config), document);
  const express = app.getHttpAdapter().getInstance();

  express.get('/openapi.json', (request, response) => served.fileFor(request).send(request, response, 'no-cache'));

  express.get('/docs', async (request, response) => {
    const base = request.path.endsWith('/') ? './' : './docs/';
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-cache');
    response.type('html').send(docsPage(base, await docsFiles()));
  });

  express.get('/docs/:file', async (request, response) => {
    const file = (await docsFiles()).files.get(request.params.file);
    if (file) await file.send(request, response, FOREVER);
    else sendProblem(response, Problem.notFound('file'));
  });
}

let reading: Promise<DocsFiles> | undefined;

/** Reads the files when the first client asks for them. A failure is not kept. */
function docsFiles(): Promise<DocsFiles> {
  reading ??= readDocsFiles().catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return reading;
}

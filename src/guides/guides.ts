import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { Problem } from '../errors/problem.js';
import { sendProblem } from '../http/problem.filter.js';
import { StaticFile } from '../http/responses/static-file.js';
import { GuideFiles } from './guide-files.js';
import { searchPage } from './search-page.js';

/** A guide loads its style, and its form leads to the search. There is no script. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** `npm run build` makes the guides. Without them, everything else works. */
const NOT_BUILT = new Problem('not_found', 'This service was built without its guides.');

const MAX_QUERY = 200;

/** The name of the style contains its hash, so its contents never change. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Serves the guides at `/guides`, each also as Markdown, and their search at `/guides/search`. They need no key. */
export function setUpGuides(app: NestExpressApplication): void {
  const guides = new GuideFiles();
  const express = app.getHttpAdapter().getInstance();

  express.get('/guides/search', async (request, response): Promise<void> => {
    const query = request.query['q'] ?? '';
    if (typeof query !== 'string' || query.length > MAX_QUERY) {
      return sendProblem(response, Problem.parameter('q', `q must be one text of at most ${MAX_QUERY} characters.`));
    }
    const search = await guides.search();
    if (!search) return sendProblem(response, NOT_BUILT);
    const page = new StaticFile('text/html; charset=utf-8', searchPage(search, query.trim()));
    await send(page, request, response);
  });

  express.get(['/guides', '/guides/*path'], async (request, response) => {
    // The page of `/guides` has other links than that of `/guides/`.
    const path = request.path.length === '/guides'.length ? undefined : request.path.slice('/guides/'.length);
    const file = await guides.find(path);
    if (file) await send(file, request, response, path?.endsWith('.css') ? FOREVER : undefined);
    else sendProblem(response, path ? Problem.notFound('guide', 'The list of all guides is at /guides.') : NOT_BUILT);
  });
}

async function send(file: StaticFile, request: Request, response: Response, cacheControl = 'no-cache'): Promise<void> {
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Referrer-Policy', 'no-referrer');
  await file.send(request, response, cacheControl);
}

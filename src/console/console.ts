import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import type { Config } from '../config/config.js';
import { Problem } from '../errors/problem.js';
import { sendProblem } from '../http/problem.filter.js';
import { PublicUrl, withOneLoopback } from '../http/public-url.js';
import { ConsoleFiles, isConsoleBuilt } from './console-files.js';
import { allowedSite, previewFramePolicy } from './preview-frame.js';

/**
 * The console loads scripts and styles of its own, sends requests only to this service, and frames its own preview frame. No other page may frame
 * it.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** The name of a file contains its hash, so its contents never change. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Marks a request that was sent here from another host. A proxy that hides the host would otherwise send it round in circles. */
const MOVED = 'moved';

/** Whether this process serves the console. A build without the workspace `console` has none. */
export function hasConsole({ console, role }: Pick<Config, 'console' | 'role'>): boolean {
  return console && role !== 'worker' && isConsoleBuilt();
}

/** Serves the console at `/console`: one page for all of its addresses, and the files of the page. They need no key. */
export function setUpConsole(app: NestExpressApplication, config: Config): void {
  if (!hasConsole(config)) return;
  const files = new ConsoleFiles();
  const publicUrl = app.get(PublicUrl);
  const express = app.getHttpAdapter().getInstance();

  express.get('/console/assets/:name', async (request, response) => {
    const file = await files.asset(request.params.name);
    if (!file) return sendProblem(response, Problem.notFound('file'));
    setHeaders(response);
    await file.send(request, response, FOREVER);
  });

  express.get('/console/preview-frame', async (request, response) => {
    const url = new URL(publicUrl.console);
    if (isElsewhere(request, url, config)) return redirect(request, response, url);
    const site = allowedSite(config, request.query, url.origin);
    setHeaders(response, previewFramePolicy(site));
    await files.previewFrame(basePathOf(url), site).send(request, response, 'no-store');
  });

  express.get(['/console', '/console/*path'], async (request, response) => {
    const url = new URL(publicUrl.console);
    if (isElsewhere(request, url, config)) return redirect(request, response, url);
    setHeaders(response);
    await files.page(basePathOf(url)).send(request, response, 'no-cache');
  });
}

function setHeaders(response: Response, policy = POLICY): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', policy);
}

function basePathOf({ pathname }: URL): string {
  return pathname.replace(/\/$/, '');
}

/**
 * Whether the request came to another host than the console's, where the browser would not send the cookie. An address that nobody configured
 * may be unreachable for the client, so that only another spelling of the machine itself counts then.
 */
function isElsewhere(request: Request, { host }: URL, { hasPublicUrl, consoleUrl }: Config): boolean {
  const asked = request.host?.toLowerCase();
  if (!asked || asked === host || request.query[MOVED] !== undefined) return false;
  return hasPublicUrl || consoleUrl !== undefined || withOneLoopback(`http://${asked}`) === `http://${host}`;
}

/** The browser repeats the fragment, which may be a token, by itself. */
function redirect(request: Request, response: Response, url: URL): void {
  const target = new URL(url.href.replace(/\/$/, '') + request.originalUrl);
  target.searchParams.set(MOVED, '1');
  response.statusCode = 307;
  response.setHeader('Location', target.href);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.end();
}

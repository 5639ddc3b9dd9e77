import { isIP } from 'node:net';
import type { Environment } from '../environment.js';
import { parseUrl } from '../../validation/parse-url.js';

/** Reads `CONSOLE_URL`. The browser sends the cookie of a session from there to `publicUrl` only if both belong to one site. */
export function readConsoleUrl(env: Environment, publicUrl: string): string | undefined {
  const url = env.parsed<string, undefined>(
    'CONSOLE_URL',
    undefined,
    'an http or https URL without a path',
    parseOrigin,
  );
  if (url !== undefined && !isSameSite(new URL(url), new URL(publicUrl))) {
    env.problems.push('CONSOLE_URL must have the scheme of PUBLIC_URL, and a host of the same domain.');
  }
  return url;
}

function parseOrigin(text: string): string | undefined {
  const { protocol = '', origin, href } = parseUrl(text) ?? {};
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
}

/** Whether a browser may take both for one site. It also knows the domains below which anybody registers names, such as co.uk. */
function isSameSite(a: URL, b: URL): boolean {
  return a.protocol === b.protocol && siteOf(a.hostname) === siteOf(b.hostname);
}

function siteOf(hostname: string): string {
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? hostname : hostname.split('.').slice(-2).join('.');
}

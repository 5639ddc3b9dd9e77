import type { Config } from '../config/config.js';
import { withOneLoopback } from '../http/public-url.js';
import { parseUrl } from '../validation/parse-url.js';

/** What is left of an origin in a policy: nothing that could end a directive. */
const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/;

/** An origin on the machine of the browser, once every spelling of it is the same. */
const LOOPBACK = /^http:\/\/localhost(?::\d+)?$/;

/**
 * Returns the origin that the preview frame may show: `site`, if it is one of the tenant's `allowed_origins` and not the console's own. Undefined if not, and
 * also for a tenant that does not exist. The demo tenant, which has no configuration, may show sites on the visitor's own machine.
 *
 * A browser that opens a page sends no header of the console, so the page answers without a session. It tells what every request with this
 * `Origin` tells (CORS), and lists no origins. What is shown in the frame comes from the entry around it.
 */
export function allowedSite(
  { tenants, demo }: Pick<Config, 'tenants' | 'demo'>,
  { tenant: id, site }: Readonly<Record<string, unknown>>,
  own: string,
): string | undefined {
  if (typeof site !== 'string' || !ORIGIN.test(site) || site === own || !isOrigin(site)) return undefined;
  if (demo?.tenantId === id && isOtherLocalSite(withOneLoopback(site), own)) return site;
  const origins = tenants.find((tenant) => tenant.id === id)?.allowedOrigins ?? [];
  return origins.includes(site) || origins.includes('*') ? site : undefined;
}

function isOtherLocalSite(site: string, own: string): boolean {
  return LOOPBACK.test(site) && site !== withOneLoopback(own);
}

function isOrigin(site: string): boolean {
  return parseUrl(site)?.origin === site;
}

/** The policy of the preview frame: it frames one site, and only pages of the console frame it. */
export function previewFramePolicy(site: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `frame-src ${site ?? "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

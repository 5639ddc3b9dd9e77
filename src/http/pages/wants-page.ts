import type { Request } from 'express';

/** Whether a response to the request should be a page: the request asks for HTML, or a browser leaves its page for it. */
export function wantsPage(request: Request): boolean {
  const { accept = '' } = request.headers;
  if (/\btext\/html\b/i.test(accept)) return request.accepts(['html', 'json']) === 'html';
  return !/\bapplication\/(problem\+)?json\b/i.test(accept) && request.headers['sec-fetch-mode'] === 'navigate';
}

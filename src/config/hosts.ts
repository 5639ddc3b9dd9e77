import { parseUrl } from '../validation/parse-url.js';

/** Whether `text` is a host with an optional port, written as a URL writes it. */
export function isHost(text: string): boolean {
  const [, host = '', port] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === '' || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return false;
  return parseUrl(`https://${host}`)?.hostname === host.toLowerCase();
}

import { UsageError } from '../exit-code.js';
import type { Terminal } from '../output/terminal.js';

/** The options of every command. */
export interface SharedOptions {
  readonly url?: string;
  readonly tenant?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** Which service and tenant a command works on, and with which key. */
export interface Connection {
  readonly url: string;
  readonly tenant: string;
  readonly key: string;
}

/** Options take precedence over variables of the environment. */
export function connectionOf(options: SharedOptions, env: Terminal['env']): Connection {
  const url = options.url ?? env['TRIVET_URL'];
  const tenant = options.tenant ?? env['TRIVET_TENANT'];
  const key = options.key ?? env['TRIVET_KEY'];
  if (url && tenant && key) return { url: checked(url), tenant, key };
  const missing = [
    ...(url ? [] : ['where the service is (--url or TRIVET_URL)']),
    ...(tenant ? [] : ['which tenant (--tenant or TRIVET_TENANT)']),
    ...(key ? [] : ['an API key (--key or TRIVET_KEY)']),
  ];
  throw new UsageError(`Say ${missing.join(', and ')}.`);
}

function checked(url: string): string {
  if (!/^https?:\/\/[^\s/?#]+[^\s?#]*$/i.test(url)) throw new UsageError(`${url} is not the URL of a service.`);
  return url.replace(/\/+$/, '');
}

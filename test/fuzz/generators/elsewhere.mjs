/** Cases for paths outside the document: pages, health checks and unknown paths. */
import fc from 'fast-check';
import { oddHeaders } from './headers.mjs';
import { encode } from './ids.mjs';
import { hostileText } from './json.mjs';

const PATHS = [
  '/',
  '*',
  '/v1',
  '/v1/',
  '/docs',
  '/docs/',
  '/docs/..%2f..%2fpackage.json',
  '/docs/swagger-ui-bundle.js',
  '/guides',
  '/guides/',
  '/guides/search',
  '/guides/..%2f..%2fpackage.json',
  '/guides/__proto__',
  '/openapi.json',
  '/problems',
  '/problems/not_found',
  '/problems/__proto__',
  '/problems/constructor',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/admin/queues',
  '/favicon.ico',
  '/.env',
  '/../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/media/{{tenant}}/..%2f..%2fencryption-key',
  '/media/{{tenant}}/../encryption-key',
  '/media/%00/x',
  '//evil.example/v1',
];

/** Methods, headers and queries on these paths. */
export const casesElsewhere = fc
  .record({
    path: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...PATHS) },
      { weight: 1, arbitrary: hostileText.map((text) => `/${encode(text.slice(0, 500))}`) },
    ),
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PUT'),
    query: fc.constantFrom([], ['a=b'], ['%'], [['x', 'y'.repeat(5_000)]]),
    headers: fc.oneof(fc.constant([]), oddHeaders),
    key: fc.constantFrom('none', 'all'),
  })
  .map((one) => ({ operation: '(other paths)', flavour: 'hostile', ...one }));

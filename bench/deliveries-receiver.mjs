/**
 * A receiver of deliveries in a separate process. It responds 200 at once; `/hang` gets no response until `release`.
 *
 * Messages: `reset` {keep: whether to record each arrival}, `read` (returns what has arrived since), `release`.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { fileURLToPath } from 'node:url';

const TLS = fileURLToPath(new URL('../test/support/tls/', import.meta.url));

let seen = fresh(false);
let hanging = [];

const server = createServer({ key: readFileSync(`${TLS}key.pem`), cert: readFileSync(`${TLS}cert.pem`) });
server.on('request', (request, response) => {
  const chunks = [];
  request.on('error', () => {});
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/hang') {
      hanging.push(response);
      return;
    }
    const now = performance.timeOrigin + performance.now();
    seen.first ??= now;
    seen.last = now;
    seen.count++;
    if (seen.keep) {
      const { data, timestamp } = JSON.parse(Buffer.concat(chunks).toString());
      seen.arrivals.push({ id: data.id, event: Date.parse(timestamp), at: now });
    }
    response.writeHead(200).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.on('disconnect', () => process.exit(0));
process.on('message', ({ type, keep }) => {
  if (type === 'reset') seen = fresh(keep);
  if (type === 'release') {
    for (const response of hanging) response.writeHead(200).end();
    hanging = [];
  }
  process.send(type === 'read' ? { ...seen, hanging: hanging.length } : {});
});

function fresh(keep) {
  return { keep, count: 0, arrivals: [] };
}

/**
 * Receives webhooks on this machine and prints them: `node scripts/receiver.mjs`. It checks each signature as a real receiver must.
 *
 * PORT (4000) is the port of the receiver, and SECRET ("desk secret") the secret that the webhook was created with.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PORT = '4000', SECRET = 'desk secret' } = process.env;
/** Requests that are older may be recordings that somebody sends again. */
const MAX_AGE_SECONDS = 300;

/** A secret `whsec_…` is the key in base64. Any other secret is the key itself. */
const key = SECRET.startsWith('whsec_') ? Buffer.from(SECRET.slice('whsec_'.length), 'base64') : Buffer.from(SECRET);

/** Whether the request was signed with the secret. `body` is the body as it arrived: parsing it first would change it. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= MAX_AGE_SECONDS)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const genuine = isGenuine(request.headers, body);
  // Any 2xx response is a success. After any other response, the service sends the event again later.
  response.writeHead(genuine ? 204 : 401).end();
  console.log(`${genuine ? 'Genuine' : 'WRONG SIGNATURE'}  ${request.headers['webhook-id']}  ${body}`);
});
server.on('error', (error) => {
  console.error(
    `The receiver cannot listen on port ${PORT} (${error.code}). Set another one: PORT=4001 node scripts/receiver.mjs`,
  );
  process.exit(1);
});
server.listen(Number(PORT), 'localhost', () => {
  console.log(`Webhooks may be sent to http://localhost:${server.address().port}, with the secret "${SECRET}".`);
});

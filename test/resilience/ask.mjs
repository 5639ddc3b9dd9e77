/** Sends one HTTP request. Never retries. */
import { Agent, request } from 'node:http';

const TIMEOUT_MS = 60_000;

/** An agent that keeps connections open between requests, at most `maxSockets` to each address. */
export function keepAlive(maxSockets = Infinity) {
  return new Agent({ keepAlive: true, maxSockets });
}

/**
 * Resolves with `{status, headers, text, bytes}`. Rejects without a complete response; the error's `code` is the socket's, or ETIMEDOUT.
 * Without an agent it opens a new connection. With `discard` the body is read but not stored.
 */
export function send(options) {
  const { port, method = 'GET', path, body, key, headers = {}, address, agent = false } = options;
  const { timeoutMs = TIMEOUT_MS, discard = false } = options;
  const payload = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const all = { ...(key && { authorization: `Bearer ${key}` }) };
  if (payload) Object.assign(all, { 'content-type': 'application/json', 'content-length': payload.length });
  Object.assign(all, headers);
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, method, path, headers: all, localAddress: address, agent };
    const outgoing = request(target, (response) => {
      const chunks = [];
      let bytes = 0;
      response.on('data', (chunk) => {
        bytes += chunk.length;
        if (!discard) chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status, headers } = response;
        resolve({ status, headers, bytes, text: Buffer.concat(chunks).toString() });
      });
    });
    const timedOut = () => outgoing.destroy(Object.assign(new Error('No response in time'), { code: 'ETIMEDOUT' }));
    const late = setTimeout(timedOut, timeoutMs);
    outgoing.on('error', reject);
    outgoing.on('close', () => clearTimeout(late));
    outgoing.end(payload);
  });
}

/** Returns the parsed body of a successful response. Throws for any other, naming `method` and `path`. */
export async function ask(options) {
  const { status, text } = await send(options);
  if (status >= 300)
    throw new Error(`${options.method ?? 'GET'} ${options.path} answered ${status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** The body and headers of an upload with one file. */
export function multipart(file, filename) {
  const boundary = 'resilience-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

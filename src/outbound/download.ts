import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Interruption } from './interruption.js';
import { OutboundError } from './outbound-error.js';

/** Takes the body of a response as it arrives. Rejects if the body ends early, or cannot be kept. */
export type ReceiveBody = (body: IncomingMessage) => Promise<void>;

/** The outcome of one request for a file. */
export interface Downloaded {
  status?: number;
  headers?: IncomingHttpHeaders;
  failure?: Error;
}

/**
 * Requests a file over `agent`, and passes the body of a 200 to `receive`. The body of any other response is not read. Redirects are not
 * followed, and nothing is decompressed. An interruption ends it with its reason. Never rejects.
 */
export async function download(
  to: http.RequestOptions,
  agent: http.Agent,
  interruption: Interruption,
  receive: ReceiveBody,
): Promise<Downloaded> {
  const { request: open } = agent instanceof https.Agent ? https : http;
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Trivet' };
  const outgoing = open({ ...to, method: 'GET', agent, headers });
  let answer: IncomingMessage | undefined;
  try {
    answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const fail = (error: Error) => {
        reject(error);
        outgoing.destroy(error);
      };
      outgoing.on('error', fail);
      outgoing.on('close', () => reject(new OutboundError('connection', 'closed before a response arrived')));
      outgoing.on('upgrade', () => fail(new OutboundError('protocol', 'switched to another protocol')));
      outgoing.on('response', resolve);
      interruption.onInterrupt = fail;
      if (interruption.reason) fail(interruption.reason);
      else outgoing.end();
    });
    const { statusCode: status, headers: received } = answer;
    if (status === 200) {
      const body = answer;
      interruption.onInterrupt = (reason) => body.destroy(reason);
      if (interruption.reason) throw interruption.reason;
      await receive(body);
    }
    return { status, headers: received };
  } catch (error) {
    return { status: answer?.statusCode, failure: interruption.reason ?? (error as Error) };
  } finally {
    interruption.onInterrupt = undefined;
    // Its connection serves no other request, because the rest of the body may be long.
    outgoing.destroy();
  }
}

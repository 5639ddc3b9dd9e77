/**
 * The load of a busy tenant, in a process of its own: connections that always have a request in progress, reads and writes in turn. Responses
 * of any status count, because refusing a part of this load is right.
 *
 * Messages: `start` {port, connections, requests}, `stop` (returns the number of responses by status).
 */
import { Agent, request } from 'node:http';

let agent;
let isOver = true;
let running = [];
let statuses = {};

process.on('disconnect', () => process.exit(0));
process.on('message', async ({ type, ...options }) => {
  if (type === 'start') start(options);
  else {
    isOver = true;
    await Promise.all(running);
    agent.destroy();
  }
  process.send({ statuses });
});

function start({ port, connections, requests }) {
  isOver = false;
  statuses = {};
  agent = new Agent({ keepAlive: true, maxSockets: connections });
  const drive = async (first) => {
    for (let turn = first; !isOver; turn++) {
      const status = await ask(port, requests[turn % requests.length]);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  running = Array.from({ length: connections }, (_, number) => drive(number));
}

function ask(port, { method, path, headers, body }) {
  return new Promise((resolve) => {
    const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
      response.on('error', () => resolve('broken'));
    });
    sent.on('error', () => resolve('broken'));
    sent.end(body);
  });
}

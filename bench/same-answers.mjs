/** Checks that the floor and the service send the same responses. */
import { isDeepStrictEqual } from 'node:util';
import { ask, itemsIn } from './requests.mjs';

const SAMPLE = 20;
/** The time limit for counting the items in responses, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** Properties that always differ in responses to a write. */
const OWN = ['id', 'created_at', 'updated_at'];

/**
 * Sends a sample of the requests to both servers and compares the complete responses: IDs, values, order, totals. Of searches, which the
 * servers rank by different rules, it compares the totals and the number of items. Sends all requests with
 * an unknown number of items, and sets it, while the time limit lasts. Throws at the first difference. Returns the requests whose number of
 * items is known.
 */
export async function assertSameAnswers(questions, { writes, ranked }, servers) {
  const step = Math.max(1, Math.floor(questions.length / SAMPLE));
  const began = performance.now();
  for (const [index, question] of questions.entries()) {
    if (index > 0 && performance.now() - began > TIMEOUT_MS) break;
    if (question.items !== null && index % step !== 0) continue;
    const answers = await Promise.all(servers.map((server) => ask(server, question)));
    question.items ??= itemsIn(answers[0]);
    const [first, ...others] = answers.map((answer) =>
      writes ? withoutOwn(answer) : ranked ? withoutOrder(answer) : answer,
    );
    for (const other of others) {
      if (isDeepStrictEqual(first, other)) continue;
      const place = firstDifference(first, other);
      throw new Error(`Different responses to ${question.method} ${question.path} at ${place}`);
    }
  }
  return questions.filter(({ items }) => items !== null);
}

function withoutOwn({ data }) {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !OWN.includes(name)));
}

function withoutOrder({ data, meta }) {
  return { items: data.length, meta };
}

function firstDifference(a, b, path = '') {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') {
    return `${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  }
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const name = names.find((one) => !isDeepStrictEqual(a[one], b[one]));
  return firstDifference(a[name], b[name], `${path}.${name}`);
}

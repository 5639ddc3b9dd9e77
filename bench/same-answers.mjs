/** Whether the floor answers what the service answers. */
import { isDeepStrictEqual } from 'node:util';
import { ask, itemsIn } from './requests.mjs';

const SAMPLE = 20;
/** For finding out how many items answers have, milliseconds. */
const TIMEOUT_MS = 5_000;
/** What two servers can't agree about in an answer to a write. */
const OWN = ['id', 'created_at', 'updated_at'];

/**
 * Asks both servers a sample of the questions and compares the answers whole: ids, values, order, totals. Questions that don't know the
 * number of their items are all asked, and get to know it. Throws at the first difference. Returns the questions to measure with: where
 * answers are slow, not all of those whose items were unknown.
 */
export async function assertSameAnswers(questions, { writes }, servers) {
  const step = Math.max(1, Math.floor(questions.length / SAMPLE));
  const began = performance.now();
  for (const [index, question] of questions.entries()) {
    if (index > 0 && performance.now() - began > TIMEOUT_MS) break;
    if (question.items !== null && index % step !== 0) continue;
    const answers = await Promise.all(servers.map((server) => ask(server, question)));
    question.items ??= itemsIn(answers[0]);
    const [first, ...others] = answers.map((answer) => (writes ? withoutOwn(answer) : answer));
    for (const other of others) {
      if (isDeepStrictEqual(first, other)) continue;
      const place = firstDifference(first, other);
      throw new Error(`Different answers to ${question.method} ${question.path} at ${place}`);
    }
  }
  return questions.filter(({ items }) => items !== null);
}

function withoutOwn({ data }) {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !OWN.includes(name)));
}

function firstDifference(a, b, path = '') {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') {
    return `${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  }
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const name = names.find((one) => !isDeepStrictEqual(a[one], b[one]));
  return firstDifference(a[name], b[name], `${path}.${name}`);
}

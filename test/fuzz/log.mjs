/** What the service has written: nothing but JSON lines, no error but those of what was turned away with 503, and no secret. */
import { readFile } from 'node:fs/promises';

const ERROR = 50;
/** What a person at a terminal is greeted with. */
const GREETING = /^(Trivet listens on|API documentation:) /;

/** `unavailable` are the request ids of answers that were 503. */
export async function logFaults({ logFile, secrets, unavailable }) {
  const text = await readFile(logFile, 'utf8');
  const faults = text
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => lineFaults(line, unavailable));
  const secret = secrets.find((one) => text.includes(one));
  if (secret) faults.push({ kind: 'a secret in the log', text: `The log holds the secret ${secret.slice(0, 8)}…` });
  return faults;
}

function lineFaults(line, unavailable) {
  let entry;
  try {
    entry = JSON.parse(line);
  } catch {
    if (GREETING.test(line)) return [];
    return [{ kind: 'a log line that is not JSON', text: line.slice(0, 1_000) }];
  }
  if (!(entry.level >= ERROR) && !/^(error|fatal)$/.test(entry.level)) return [];
  // Work in the background may be turned away as well; it is done later.
  if (unavailable.has(entry.request_id) || entry.err?.code === 'unavailable') return [];
  const message = entry.err?.message ?? entry.msg ?? 'no message';
  return [{ kind: `an error in the log: ${String(message).slice(0, 100)}`, text: line.slice(0, 2_000) }];
}

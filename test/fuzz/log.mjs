/** Checks the service's log: only JSON lines, no errors except for requests rejected with 503, and no secrets. */
import { readFile } from 'node:fs/promises';

/** `unavailable` contains the request IDs of 503 responses. */
export async function logFaults({ logFile, secrets, unavailable }) {
  const text = await readFile(logFile, 'utf8');
  const faults = text
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => lineFaults(line, unavailable));
  const secret = secrets.find((one) => text.includes(one));
  if (secret) faults.push({ kind: 'a secret in the log', text: `The log contains the secret ${secret.slice(0, 8)}…` });
  return faults;
}

function lineFaults(line, unavailable) {
  let entry;
  try {
    entry = JSON.parse(line);
  } catch {
    return [{ kind: 'a log line that is not JSON', text: line.slice(0, 1_000) }];
  }
  if (!/^(error|fatal)$/.test(entry.level)) return [];
  // Background work may be rejected with 503 too; it runs later.
  if (unavailable.has(entry.request_id) || entry.err?.code === 'unavailable') return [];
  const message = entry.err?.message ?? entry.msg ?? 'no message';
  return [{ kind: `an error in the log: ${String(message).slice(0, 100)}`, text: line.slice(0, 2_000) }];
}

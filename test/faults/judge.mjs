/**
 * Compares the acknowledged writes with the final state. Each function returns {expected, found, duplicates, lost, invented}; the last two
 * are lists of IDs.
 */

/**
 * Every acknowledged operation has each of its events once. One of unknown state has all of them or none, and its row agrees. There are no
 * other events of entries and submissions. An operation with only some of its effects counts as lost.
 */
export function judgeEvents({ operations }, { events, entries, submissions }) {
  const found = new Map();
  for (const { key, id } of events) if (key) found.set(key, [...(found.get(key) ?? []), id]);
  const titles = new Set(entries.values());
  const messages = new Set(submissions.map(({ message }) => message));
  const lost = [];
  const expected = new Set();
  let happened = 0;
  for (const operation of operations) {
    const { kind, state, events: keys } = operation;
    if (keys.length === 0 || state === 'rejected' || state === 'unsent') continue;
    const present = keys.filter((key) => found.has(key));
    if (state === 'acknowledged') lost.push(...keys.filter((key) => !found.has(key)));
    else {
      const isWhole = present.length === 0 || present.length === keys.length;
      const isThere = present.length > 0;
      if (!isWhole || rowSays(operation, { entries, titles, messages }) !== isThere)
        lost.push(`half of ${kind} ${keys}`);
      if (!isThere) continue;
      happened++;
    }
    for (const key of keys) expected.add(key);
  }
  const extra = [...found].flatMap(([key, ids]) =>
    expected.has(key) ? ids.slice(1).map(() => key) : ids.map(() => key),
  );
  return { expected: expected.size, found: found.size, duplicates: 0, lost, invented: extra, happened };
}

/** Whether the rows look as if the operation happened. No later operation changed them. */
function rowSays({ kind, id, ids, token }, { entries, titles, messages }) {
  if (kind === 'create') return titles.has(token);
  if (kind === 'update') return entries.get(id) === token;
  if (kind === 'delete') return !entries.has(id);
  if (kind === 'submit') return messages.has(token);
  if (kind === 'drop type') return !ids.some((entryId) => entries.has(entryId));
  throw new Error(`No row shows whether ${kind} happened.`);
}

/** The rows of entries and submissions match the last acknowledged operation on each. */
export function judgeRows(ledger, { entries, submissions }) {
  const lost = [];
  const invented = [];
  for (const [id, expected] of ledger.entries) {
    if (expected === null && entries.has(id)) invented.push(id);
    if (expected !== null && entries.get(id) !== expected.title) lost.push(id);
  }
  const named = (states) => (kind) =>
    ledger.operations.filter((operation) => operation.kind === kind && states.includes(operation.state));
  const possible = named(['acknowledged', 'unknown']);
  const tokens = new Set([...possible('create'), ...possible('update')].map(({ token }) => token));
  invented.push(...[...entries].filter(([, title]) => !tokens.has(title)).map(([id]) => id));
  const ids = new Set(submissions.map(({ id }) => id));
  const acknowledged = named(['acknowledged'])('submit');
  lost.push(...acknowledged.filter(({ id }) => !ids.has(id)).map(({ id }) => id));
  const messages = new Set(possible('submit').map(({ token }) => token));
  invented.push(...submissions.filter(({ message }) => !messages.has(message)).map(({ id }) => id));
  const expected = [...ledger.entries.values()].filter((entry) => entry !== null).length + acknowledged.length;
  return { expected, found: entries.size + submissions.length, duplicates: 0, lost, invented };
}

/** The consumer of the feed received exactly the events in the table, each once. */
export function judgeFeed(feed, { events }) {
  return compare(
    events.map(({ id }) => id),
    feed.events.map(({ id }) => id),
    { once: true },
  );
}

/** The webhook's receiver accepted every event of the webhook's types, and received no other events. */
export function judgeDeliveries({ types, mailbox }, { events }) {
  const expected = events.filter(({ type }) => types.includes(type)).map(({ id }) => id);
  const taken = [...mailbox.deliveries].flatMap(([id, { taken }]) => Array.from({ length: taken }, () => id));
  const verdict = compare(expected, taken);
  const known = new Set(expected);
  verdict.invented = [...mailbox.deliveries.keys()].filter((id) => !known.has(id));
  return verdict;
}

/**
 * Every submission to a form with notify_email is in its own email or in a digest, and no other submission is. `mails` are the received
 * emails by Message-ID; `evidence.mails` maps each submission to the email that should contain it.
 */
export function judgeMails(mails, { submissions, mails: mailOf }) {
  const expected = submissions.filter(({ notifies }) => notifies).map(({ id }) => id);
  const members = new Map();
  for (const [id, name] of mailOf) members.set(name, [...(members.get(name) ?? []), id]);
  const taken = [...mails].flatMap(([name, { taken }]) =>
    Array.from({ length: taken }, () => members.get(name) ?? [name]),
  );
  const verdict = compare(expected, taken.flat());
  const messages = new Map(submissions.map(({ id, message }) => [id, message]));
  const foreign = [...mails].filter(([name, { text }]) => !tells(text, name, members.get(name) ?? [], messages));
  verdict.invented = [...new Set([...verdict.invented, ...foreign.map(([name]) => name)])];
  return verdict;
}

/** Whether the email is about exactly these submissions. A digest may show only some of them and count the others. */
function tells(raw, name, ids, messages) {
  // Long lines are broken for the transport (quoted-printable, or format=flowed).
  const text = raw.replace(/=\r?\n/g, '').replace(/ \r?\n(?=\S)/g, ' ');
  if (!name.startsWith('digest.')) return ids.length === 1 && text.includes(messages.get(ids[0]));
  const [, total] = /^Subject: (\d+) new submissions?: /m.exec(text) ?? [];
  const shown = new Set([...text.matchAll(/^Submitted .+ as (sub_\w+)/gm)].map(([, id]) => id));
  const rest = ids.length - shown.size;
  return (
    Number(total) === ids.length &&
    (rest === 0 || (shown.size > 0 && text.includes(`does not show ${rest} of the submissions`))) &&
    [...shown].every((id) => ids.includes(id) && text.includes(messages.get(id)))
  );
}

/** Compares two lists of IDs. An ID found twice counts as a duplicate; with `once`, as invented. */
function compare(expected, found, { once = false } = {}) {
  const wanted = new Set(expected);
  const seen = new Set(found);
  const duplicates = found.length - seen.size;
  const invented = [...seen].filter((id) => !wanted.has(id));
  if (once && duplicates > 0) invented.push(`${duplicates} more than once`);
  return {
    expected: wanted.size,
    found: seen.size,
    duplicates,
    lost: [...wanted].filter((id) => !seen.has(id)),
    invented,
  };
}

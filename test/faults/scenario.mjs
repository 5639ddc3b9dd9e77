/** Runs one scenario from the first write to the result. */
import { gather, unfinished } from './evidence.mjs';
import { judgeDeliveries, judgeEvents, judgeFeed, judgeMails, judgeRows } from './judge.mjs';
import * as failures from './failures.mjs';
import { until } from './until.mjs';
import { World } from './world.mjs';

/**
 * An email that a killed worker was sending becomes due again after 90 s: those of the first kills do so while the others follow, and the
 * last cut lasts longer than that. A rejected one becomes due after 20 s.
 */
const QUIET_WITHIN_S = 150;

/** Returns {title, counts, rows, faults}: the result of each comparison, and all other errors. */
export async function play({ name, dist, folder, withRedis }) {
  const world = await World.build({ name, dist, folder, withRedis });
  const { writer, feed, mails } = world;
  world.say('writes begin');
  writer.start();
  feed.start();
  await writer.more(60);

  await failures.killWorkerWhileItSends(world);
  await failures.killApi(world, 3);
  if (withRedis) {
    await failures.flushRedis(world, 3);
    await failures.restartRedis(world);
  }
  await failures.rotateSecret(world);
  await failures.receiverFails(world);
  await failures.restartPostgres(world, 'fast');
  await failures.restartPostgres(world, 'immediate');
  await failures.killApi(world, 4);
  await failures.killWorker(world, 4);
  await failures.restartPostgres(world, 'immediate');
  await failures.powerCut(world);
  await failures.powerCut(world, { isLong: true });
  await writer.more(200);

  await writer.stop();
  mails.refusesSome = false;
  world.say('writes have ended');
  await quiet(world, ['schedules', 'events', 'deliveries', 'statements']);
  world.say('everything is delivered; waiting for the last emails');
  await quiet(world, ['schedules', 'events', 'deliveries', 'statements', 'mails']);
  await feed.stop();
  world.say('quiet');
  return verdictOf(world);
}

/** Returns when none of these kinds has unfinished work. */
async function quiet({ postgres }, kinds) {
  let left;
  let looks = 0;
  const isQuiet = async () => {
    left = await unfinished(postgres.url);
    looks = kinds.every((kind) => left[kind] === 0) ? looks + 1 : 0;
    return looks === 3;
  };
  await until(isQuiet, 'no work is left', QUIET_WITHIN_S).catch((error) => {
    throw new Error(`${error.message} Left: ${JSON.stringify(left)}`);
  });
}

async function verdictOf(world) {
  const { ledger, feed, webhooks, mails, postgres, dist, tenantId } = world;
  const evidence = await gather({ url: postgres.url, dist, tenantId });
  const rows = [
    { title: 'changes → rows', ...judgeRows(ledger, evidence) },
    { title: 'changes → events', ...judgeEvents(ledger, evidence) },
    { title: 'events → change feed', ...judgeFeed(feed, evidence) },
    ...webhooks
      .filter(({ gone }) => !gone)
      .map((webhook) => ({ title: `events → ${webhook.path}`, ...judgeDeliveries(webhook, evidence) })),
    { title: 'submissions → emails', ...judgeMails(mails.mails, evidence) },
  ];
  const faults = [
    ...ledger.surprises,
    ...webhooks.flatMap(({ path, mailbox }) => mailbox.faults.map((fault) => `${path}: ${fault}`)),
    ...judgeBodies(world),
    ...judgeStatuses(world, evidence),
    ...(await judgeGone(world, evidence)),
    ...judgeTheJudge(world, evidence),
  ];
  const verified = { library: 0, own: 0 };
  for (const { mailbox } of webhooks) {
    for (const verifier of Object.keys(verified)) verified[verifier] += mailbox.verified[verifier];
  }
  return { name: world.name, counts: ledger.counts, happened: rows[1].happened, rows, verified, faults };
}

/** The delivered bodies equal those in the feed. */
function judgeBodies({ feed, webhooks }) {
  const texts = new Map(feed.events.map((event) => [event.id, JSON.stringify(event)]));
  return webhooks.flatMap(({ path, mailbox }) =>
    [...mailbox.deliveries]
      .filter(([id, { text }]) => JSON.stringify(JSON.parse(text)) !== texts.get(id))
      .map(([id]) => `${path}: the delivered body of ${id} differs from the feed`),
  );
}

/** The service recorded every delivery as succeeded. */
function judgeStatuses({ webhooks }, { deliveries }) {
  const good = new Set(webhooks.filter(({ gone }) => !gone).map(({ id }) => id));
  return deliveries
    .filter(({ webhookId, status }) => good.has(webhookId) && status !== 'succeeded')
    .map(({ eventId, status }) => `the delivery of ${eventId} is ${status}`);
}

/** The webhook whose receiver answered 410 is inactive, and received no invented events. */
async function judgeGone({ client, tenantId, webhooks }, { events }) {
  const { id, mailbox } = webhooks.find(({ gone }) => gone);
  const { data } = await client.ask('GET', `/v1/webhooks/${tenantId}/${id}`);
  const known = new Set(events.map((event) => event.id));
  const faults = [...mailbox.deliveries.keys()]
    .filter((eventId) => !known.has(eventId))
    .map((eventId) => `${eventId} was invented for the webhook that answered 410`);
  if (data.active || data.disabled_reason !== 'gone') faults.push(`after 410 the webhook is ${JSON.stringify(data)}`);
  return faults;
}

/** Tests the comparisons: each must report exactly the event that is removed or added. */
function judgeTheJudge({ ledger, feed, webhooks, mails }, evidence) {
  const last = evidence.events.find(({ type }) => type === 'form.submitted');
  const fewer = { ...evidence, events: evidence.events.filter((event) => event !== last) };
  const submissions = evidence.submissions.filter(({ id }) => id !== evidence.submissions.find((s) => s.notifies).id);
  const more = { ...evidence, events: [...evidence.events, { id: 'evt_none', type: last.type, key: last.key }] };
  const nobodys = { ...evidence, events: [...evidence.events, { id: 'evt_none', type: last.type, key: 'none' }] };
  const forms = webhooks.find(({ path }) => path === '/forms');
  const checks = {
    'an event lost': judgeEvents(ledger, fewer).lost.length === 1,
    'an event recorded twice': judgeEvents(ledger, more).invented.length === 1,
    'an event without an operation': judgeEvents(ledger, nobodys).invented.length === 1,
    'an event invented in the feed': judgeFeed(feed, fewer).invented.length === 1,
    'an event lost in the feed': judgeFeed(feed, more).lost.length === 1,
    'a delivery invented': judgeDeliveries(forms, fewer).invented.length === 1,
    'a delivery lost': judgeDeliveries(forms, more).lost.length === 1,
    'an invented email': judgeMails(mails.mails, { ...evidence, submissions }).invented.length >= 1,
    'a lost email': judgeMails(withoutDigest(mails.mails), evidence).lost.length > 0,
    'a row lost': judgeRows(ledger, { ...evidence, submissions }).lost.length <= 1,
  };
  return Object.entries(checks)
    .filter(([, found]) => !found)
    .map(([check]) => `the comparison does not report ${check}`);
}

/** Removes one digest. There must be at least one. */
function withoutDigest(mails) {
  const digest = [...mails.keys()].find((name) => name.startsWith('digest.'));
  return new Map([...mails].filter(([name]) => name !== digest));
}

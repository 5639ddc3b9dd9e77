/** The failures. Each happens while writes continue, and returns after the recovery. They wait for effects, not for a fixed time. */
import { expireClaims } from './evidence.mjs';
import { GOOD } from './receiver.mjs';
import { until } from './until.mjs';

/** Kills the worker while emails and deliveries that it is sending hang. */
export async function killWorkerWhileItSends(world) {
  const { writer, worker, mails } = world;
  const { mailbox } = world.webhook('/all');
  world.say('kill -9 of the worker while it sends deliveries and mails');
  const hung = mailbox.answered.hung;
  mailbox.answer = 'hang';
  mails.isHanging = true;
  await until(() => mails.hanging.length > 0 && mailbox.answered.hung > hung, 'deliveries and mails hang');
  await worker.kill();
  mailbox.answer = GOOD;
  mails.heal();
  if (worker !== world.api) await writer.more(40);
  await worker.start();
  await writer.more(40);
}

/** Kills the worker at any moment, perhaps after the receiver accepted a delivery and before the worker recorded that. */
export async function killWorker(world, times) {
  for (let time = 1; time <= times; time++) {
    world.say('kill -9 of the worker');
    const { answered } = world.webhook('/all').mailbox;
    const goal = answered.taken + 20;
    await until(() => answered.taken >= goal, 'the receiver accepts 20 deliveries');
    await world.worker.kill();
    await world.worker.start();
    await world.writer.more(20);
  }
}

/** Kills the API several times, each time with requests in progress. */
export async function killApi(world, times) {
  const { writer, api } = world;
  for (let time = 1; time <= times; time++) {
    world.say('kill -9 of the API under load');
    await writer.busy(3);
    const failed = writer.fail(5);
    await api.kill();
    await failed;
    await api.start();
    await writer.more(30);
  }
}

export async function receiverFails(world) {
  const { writer, webhooks } = world;
  const mailboxes = webhooks.filter(({ gone }) => !gone).map(({ mailbox }) => mailbox);
  const failures = [
    { answer: { status: 500 }, kind: 'refused', count: 100, text: '500' },
    { answer: { status: 503, headers: { 'retry-after': '1' } }, kind: 'refused', count: 40, text: '503, Retry-After' },
    { answer: { status: 302, headers: { location: '/' } }, kind: 'refused', count: 20, text: 'a redirect' },
    { answer: 'reset', kind: 'reset', count: 80, text: 'a reset connection' },
    { answer: 'hang', kind: 'hung', count: 50, text: 'nothing' },
  ];
  for (const { answer, kind, count, text } of failures) {
    world.say(`the receiver responds with ${text}`);
    const given = () => mailboxes.reduce((sum, { answered }) => sum + answered[kind], 0);
    const goal = given() + count;
    for (const mailbox of mailboxes) mailbox.answer = answer;
    await until(() => given() >= goal, `${count} deliveries get ${text} as the response`);
  }
  for (const mailbox of mailboxes) mailbox.answer = GOOD;
  await writer.more(20);
}

/** Replaces a secret. From now on both secrets sign. */
export async function rotateSecret(world) {
  const { client, tenantId } = world;
  const { id, mailbox } = world.webhook('/all');
  world.say('a webhook gets a new secret');
  const secret = 'a secret after the first';
  // Add the secret before the request: a delivery may be signed with it before the response arrives.
  mailbox.secrets = [mailbox.secrets[0], secret];
  await client.ask('PATCH', `/v1/webhooks/${tenantId}/${id}`, { secret });
}

export async function flushRedis(world, times) {
  for (let time = 1; time <= times; time++) {
    world.say('FLUSHALL');
    await world.redis.flush();
    await world.writer.more(15);
  }
}

/** Kills Redis. The worker must also be able to start without it. */
export async function restartRedis(world) {
  const { redis, writer, worker } = world;
  world.say('kill -9 of Redis');
  await redis.kill();
  await writer.more(40);
  world.say('kill -9 of the worker without Redis');
  await worker.kill();
  await worker.start();
  await writer.more(40);
  await redis.start();
  world.say('Redis runs again, empty');
  await writer.more(40);
}

export async function restartPostgres(world, how) {
  const { postgres, writer } = world;
  world.say(`PostgreSQL: ${how} shutdown`);
  await writer.busy(3);
  const failed = writer.fail(10);
  await postgres.stop(how);
  await failed;
  await postgres.start();
  await writer.more(40);
}

/** Kills all processes, Redis and PostgreSQL at once. If the cut is long, it lasts longer than the claims of what was being sent. */
export async function powerCut(world, { isLong = false } = {}) {
  const { postgres, redis, writer, processes } = world;
  world.say(`a ${isLong ? 'long ' : ''}power cut: everything fails at once`);
  await writer.busy(3);
  const failed = writer.fail(10);
  await Promise.all([...processes.map((process) => process.kill()), redis?.kill(), postgres.stop('immediate')]);
  await failed;
  await Promise.all([postgres.start(), redis?.start()]);
  if (isLong) await expireClaims(postgres.url);
  await Promise.all(processes.map((process) => process.start()));
  await writer.more(60);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { strangerAddress } from '../addresses.mjs';

const RECIPIENT = 'office@flooded.example';
const NETWORKS = 60;
/** An address may submit ten a minute. */
const EACH = 10;
const WAIT_MS = { full: 150_000, short: 70_000 };

export default {
  finding: 8,
  title: '10 submissions each from 60 IPv6 networks (20 in the short form) to a form that notifies an address',
  env: { TRUST_PROXY: '1' },
  // It ends when all were sent.
  seconds: [20, 10],

  async setUp(t) {
    const fields = [{ name: 'message', type: 'text', required: true }];
    const form = await t.ask('POST', t.forms, { name: 'Flooded', fields, notify_email: RECIPIENT });
    t.path = `${t.forms}/${form.id}/submissions`;
  },

  async attack(t) {
    const submissions = [];
    t.data = { submissions };
    await t.each(t.size(NETWORKS, NETWORKS / 3) * EACH, 8, async (number) => {
      const network = Math.floor(number / EACH);
      const message = `flood-${number}-end`;
      const headers = { 'x-forwarded-for': `2001:db8:${network.toString(16)}::${number % EACH}` };
      const address = strangerAddress(network);
      const answer = await t.send('POST', t.path, { fields: { message } }, { key: undefined, headers, address });
      if (answer?.status === 201) submissions.push({ id: JSON.parse(answer.text).data.id, message });
    });
  },

  /**
   * There must not be a mail for each submission, and none must be forgotten: a mail tells of one submission, or its subject says of how
   * many.
   */
  async finish(world, { data }) {
    const { submissions = [] } = data ?? {};
    await world.restart({ TRUST_PROXY: '1' });
    const deadline = Math.min(world.deadline, Date.now() + WAIT_MS[world.isShort ? 'short' : 'full']);
    const told = () => [...mailsById(world).values()].reduce((sum, mail) => sum + toldBy(mail, submissions), 0);
    while (told() < submissions.length && Date.now() < deadline) await sleep(500);
    const mails = world.mails.to(RECIPIENT).length;
    const most = 30 + submissions.length / 20;
    const faults = [];
    if (submissions.length === 0) faults.push('no submission was taken');
    if (mails > most) faults.push(`${mails} mails went to an address that nobody confirmed; at most ${most} may`);
    if (told() < submissions.length) faults.push(`mails tell of ${told()} of ${submissions.length} submissions`);
    return { faults, notes: [`${submissions.length} submissions, ${mails} mails`] };
  },
};

/** A mail may be sent twice; it counts once. */
function mailsById(world) {
  return new Map(world.mails.to(RECIPIENT).map((mail) => [mail.id, mail]));
}

function toldBy({ subject, text }, submissions) {
  const [, count] = /(\d+) new submissions?/i.exec(subject) ?? [];
  return Number(count ?? submissions.filter(({ id }) => text.includes(id)).length);
}

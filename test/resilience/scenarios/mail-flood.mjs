import { setTimeout as sleep } from 'node:timers/promises';
import { strangerAddress } from '../addresses.mjs';

const RECIPIENT = 'office@flooded.example';
const NETWORKS = 60;
/** An address may submit ten times a minute. */
const EACH = 10;
const WAIT_MS = { full: 150_000, short: 70_000 };

export default {
  finding: 8,
  title: '10 submissions each from 60 IPv6 networks (20 in the short form) to a form that notifies an address',
  env: { TRUST_PROXY: '1' },
  // The attack ends when all submissions were sent.
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

  /** Submissions must not each cause an email, but each must be reported. An email reports one submission, or the number in its subject. */
  async finish(world, { data }) {
    const { submissions = [] } = data ?? {};
    await world.restart({ TRUST_PROXY: '1' });
    const deadline = Math.min(world.deadline, Date.now() + WAIT_MS[world.isShort ? 'short' : 'full']);
    const told = () => [...mailsById(world).values()].reduce((sum, mail) => sum + toldBy(mail, submissions), 0);
    while (told() < submissions.length && Date.now() < deadline) await sleep(500);
    const mails = world.mails.to(RECIPIENT).length;
    const most = 30 + submissions.length / 20;
    const faults = [];
    if (submissions.length === 0) faults.push('no submission was accepted');
    if (mails > most) faults.push(`${mails} emails were sent to an unconfirmed address; the limit is ${most}`);
    if (told() < submissions.length) faults.push(`emails report ${told()} of ${submissions.length} submissions`);
    return { faults, notes: [`${submissions.length} submissions, ${mails} emails`] };
  },
};

/** An email may be sent twice, but counts once. */
function mailsById(world) {
  return new Map(world.mails.to(RECIPIENT).map((mail) => [mail.id, mail]));
}

function toldBy({ subject, text }, submissions) {
  const [, count] = /(\d+) new submissions?/i.exec(subject) ?? [];
  return Number(count ?? submissions.filter(({ id }) => text.includes(id)).length);
}

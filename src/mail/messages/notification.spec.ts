import type { FieldDefinition } from '../../fields/field-definition.js';
import { composeNotification, type NotifiedSubmission } from './notification.js';
import { parseSender } from '../transports/sender.js';

const sender = parseSender('Acme <office@acme.example>');

function compose(
  definitions: FieldDefinition[],
  values: Record<string, string>,
  formName = 'Contact',
  timeZone: string | null = null,
) {
  const submission: NotifiedSubmission = {
    id: 'sub_1',
    formName,
    definitions,
    values,
    submittedAt: '2026-01-31T09:30:00.000Z',
    timeZone,
  };
  return composeNotification(submission, sender, 'ada@example.com');
}

describe('a notification', () => {
  const FIELDS: FieldDefinition[] = [
    { name: 'name', type: 'text', label: 'Your name' },
    { name: 'topic', type: 'select', options: ['Press'] },
    { name: 'message', type: 'textarea' },
  ];

  it('shows every field in the order of the form under its label or the words of its name, with a dash for an empty value', () => {
    const { text, html } = compose(FIELDS, { message: 'Hello,\r\n  <b>you</b>\t&co', name: 'Ada' });
    expect(text).toBe(
      [
        ...['New submission: Contact', ''],
        ...['Your name:', '  Ada', '', 'Topic:', '  —', '', 'Message:', '  Hello,', '    <b>you</b>\t&co', ''],
        ...['-- ', 'Submitted 31 January 2026 at 09:30:00 UTC as sub_1', ''],
      ].join('\n'),
    );
    const cells = [...html.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell]) => cell);
    expect(cells).toEqual([
      ...['Your name', 'Ada', 'Topic', '—', 'Message'],
      'Hello,<br>\n  &lt;b&gt;you&lt;/b&gt;\t&amp;co',
    ]);
  });

  it('says that the submission came without a time token that the form asks for', () => {
    const submittedAt = '2026-01-31T09:30:00.000Z';
    const submission: NotifiedSubmission = {
      ...{ id: 'sub_1', formName: 'A', definitions: FIELDS, values: {}, submittedAt, timeZone: null },
      isUntimed: true,
    };
    const note = 'It came without a valid time token (_t), so min_seconds was not checked.';
    const { text, html } = composeNotification(submission, sender, 'ada@example.com');
    for (const part of [text, html]) expect(part).toContain(note);
    expect(compose(FIELDS, {}).text).not.toContain('_t');
  });

  it('shows a field that has the name of an object method', () => {
    const { text } = compose([{ name: 'toString', type: 'text' }], {});
    expect(text).toContain('To string:\n  —\n');
  });

  it('says yes or no for a checkbox', () => {
    const { text } = compose(
      [
        { name: 'news', type: 'checkbox' },
        { name: 'terms', type: 'checkbox' },
      ],
      { news: 'false', terms: 'true' },
    );
    expect(text).toContain('News:\n  No\n\nTerms:\n  Yes\n');
  });

  it.each([
    ['Europe/Berlin', '31 January 2026 at 10:30:00 CET'],
    ['Asia/Tokyo', '31 January 2026 at 18:30:00 GMT+9'],
    ['Nowhere/Unknown', '31 January 2026 at 09:30:00 UTC'],
  ])('has the time of %s', (timeZone, time) => {
    expect(compose(FIELDS, {}, 'Contact', timeZone).text).toContain(`Submitted ${time} as sub_1`);
  });

  it('takes its Message-ID and its date from the submission', () => {
    expect(compose(FIELDS, {})).toMatchObject({
      messageId: '<sub_1@acme.example>',
      date: new Date('2026-01-31T09:30:00.000Z'),
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': 'sub_1' },
    });
  });

  it('escapes HTML in labels, values and names', () => {
    const label = `"><script>alert('x')</script>`;
    const { html } = compose([{ name: 'a', type: 'text', label }], { a: label }, label);
    expect(html).not.toMatch(/<script|'x'/);
  });

  it('has no control characters in subject and labels, and only tabs and line feeds in values', () => {
    const dirty = 'a\r\nBcc: eve@example.com\u0007\u0085\u2028\u202eb\u007f';
    const { subject, text, html } = compose([{ name: 'a', type: 'textarea', label: dirty }], { a: dirty }, dirty);
    expect(subject).toBe('New submission: a Bcc: eve@example.com b');
    expect(text).toContain('\na Bcc: eve@example.com b:\n  a\n  Bcc: eve@example.com\n  \u202eb\n');
    expect(`${subject}${text}${html}`).not.toMatch(/(?![\n\t])\p{Cc}/u);
  });

  it('indents values, so that they cannot look like another field', () => {
    const { text } = compose(FIELDS, { message: 'x\n\nTopic:\n  Press\n-- \nSubmitted' });
    expect(text.match(/^Topic:$/gm)).toHaveLength(1);
    expect(text.match(/^-- $/gm)).toHaveLength(1);
  });

  describe('the Reply-To address', () => {
    const emails: FieldDefinition[] = ['first', 'second', 'third'].map((name) => ({ name, type: 'email' }));
    const replyTo = (values: Record<string, string>) =>
      compose([{ name: 'name', type: 'text' }, ...emails], values).replyTo;

    it.each([
      [{ second: 'b@example.com', first: 'a@example.com' }, 'a@example.com'],
      [{ third: 'c@example.com', second: 'b@example.com' }, 'b@example.com'],
      [{ first: 'no address', second: 'b@example.com' }, 'b@example.com'],
      [{ first: 'a@example.com, b@example.com', third: 'c@example.com' }, 'c@example.com'],
      [{ first: 'a@example.com\r\nBcc: eve@example.com', third: 'c@example.com' }, 'c@example.com'],
      [{ first: 'jörg@example.com', third: 'c@example.com' }, 'c@example.com'],
      [{ first: 'ada@müller.example' }, 'ada@müller.example'],
    ])('of %j is %s', (values, address) => expect(replyTo(values)).toEqual({ name: '', address }));

    it('is missing if no email field contains an address', () => {
      expect(replyTo({ name: 'a@example.com' })).toBeUndefined();
    });
  });
});

describe('the sender', () => {
  it.each([
    ['office@acme.example', '', 'office@acme.example', 'acme.example'],
    ['Acme, Inc. <office@acme.example>', 'Acme, Inc.', 'office@acme.example', 'acme.example'],
    ['"Acme, Inc." <office@acme.example>', 'Acme, Inc.', 'office@acme.example', 'acme.example'],
    ['<office@bücher.example>', '', 'office@bücher.example', 'xn--bcher-kva.example'],
    ['Trivet <trivet@localhost>', 'Trivet', 'trivet@localhost', 'localhost'],
  ])('is read from %s', (mailFrom, name, address, domain) => {
    expect(parseSender(mailFrom)).toEqual({ name, address, domain });
  });
});

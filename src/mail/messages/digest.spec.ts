import type { FieldDefinition } from '../../fields/field-definition.js';
import { composeDigest, type Digest } from './digest.js';
import { parseSender } from '../transports/sender.js';

const FIELDS: FieldDefinition[] = [
  { name: 'name', type: 'text', label: 'Your name' },
  { name: 'topic', type: 'select', options: ['Press'] },
  { name: 'message', type: 'textarea' },
];
const AT = '2026-01-31T09:30:00.000Z';

function compose(digest: Partial<Digest> = {}) {
  const whole: Digest = {
    id: 'sub_1',
    formName: 'Contact',
    definitions: FIELDS,
    timeZone: null,
    total: 2,
    submissions: [
      { id: 'sub_1', values: { name: 'Ada', message: 'Hello,\n<b>you</b>' }, submittedAt: AT },
      { id: 'sub_2', values: { name: 'Bob' }, submittedAt: '2026-01-31T09:31:00.000Z' },
    ],
    listUrl: 'https://cms.example/v1/forms/ten_a/frm_1/submissions',
    ...digest,
  };
  return composeDigest(whole, parseSender('Acme <office@acme.example>'), 'ada@example.com');
}

describe('a digest', () => {
  it('shows the fields with a value of each submission, and the URL of all submissions', () => {
    const { subject, text, html } = compose();
    expect(subject).toBe('2 new submissions: Contact');
    expect(text.split('\n').slice(3)).toEqual([
      ...['', 'Submitted 31 January 2026 at 09:30:00 UTC as sub_1', ''],
      ...['  Your name:', '    Ada', '', '  Message:', '    Hello,', '    <b>you</b>', ''],
      ...['Submitted 31 January 2026 at 09:31:00 UTC as sub_2', '', '  Your name:', '    Bob', ''],
      ...['-- ', 'To list all submissions of the form: GET https://cms.example/v1/forms/ten_a/frm_1/submissions', ''],
    ]);
    expect(html).toContain('Hello,<br>\n&lt;b&gt;you&lt;/b&gt;</td>');
    expect(html.match(/<h2/g)).toHaveLength(2);
  });

  it('takes its Message-ID from the first submission and its date from the last', () => {
    expect(compose()).toMatchObject({
      messageId: '<digest.sub_1@acme.example>',
      date: new Date('2026-01-31T09:31:00.000Z'),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    expect(compose()).not.toHaveProperty('replyTo');
  });

  it('of one submission has a subject in the singular', () => {
    expect(compose({ total: 1 }).subject).toBe('1 new submission: Contact');
  });

  it('tells how many submissions came without a time token that the form asks for', () => {
    const untimed = { id: 'sub_3', values: { name: 'Eve' }, submittedAt: AT, isUntimed: true };
    const note = 'came without a valid time token (_t), so min_seconds was not checked.';
    const { text, html } = compose({ submissions: [untimed, untimed, { ...untimed, isUntimed: false }] });
    for (const part of [text, html]) expect(part).toContain(`2 of them ${note}`);
    expect(compose().text).not.toContain('_t');
  });

  it('tells how many submissions it does not show', () => {
    const { text, html } = compose({ total: 37 });
    for (const part of [text, html]) expect(part).toContain('This email does not show 35 of the submissions.');
  });

  it('has a limited length, and shows at least one submission', () => {
    const values = { message: '"\n'.repeat(50_000) };
    const submissions = Array.from({ length: 30 }, (_, index) => ({ id: `sub_${index}`, values, submittedAt: AT }));
    const { text, html } = compose({ total: 30, submissions });
    const shown = (part: string) => part.match(/Submitted /g)?.length;
    expect(shown(text)).toBe(1);
    expect(shown(html)).toBe(1);
    for (const part of [text, html]) expect(part).toContain('This email does not show 29 of the submissions.');
    expect(Math.max(text.length, html.length)).toBeLessThan(1_000_000);
  });

  it('has no control character in its subject, and no value that looks like a heading or a field label', () => {
    const evil = 'x\r\nBcc: eve@example.com\r\n\r\nSubmitted now as sub_9\n  Your name:\n-- \n';
    const { subject, text, html } = compose({
      formName: evil,
      submissions: [{ id: 'sub_1', values: { name: evil }, submittedAt: AT }],
    });
    expect(subject).not.toMatch(/\p{Cc}/u);
    expect(text.match(/^Submitted /gm)).toHaveLength(1);
    expect(text.match(/^ {2}Your name:$/gm)).toHaveLength(1);
    expect(text.match(/^-- $/gm)).toHaveLength(1);
    expect(`${text}${html}`).not.toMatch(/(?![\n\t])\p{Cc}/u);
  });
});

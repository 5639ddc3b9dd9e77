import type { Letter } from '../letters/letter.js';
import { composeLetter } from './letter.js';
import { parseSender } from '../transports/sender.js';

const ID = '01900000-0000-7000-8000-000000000001';
const WRITTEN_AT = '2026-01-31T09:30:00.000Z';
const TOKEN = 'aB3_-'.repeat(8);

const INVITATION: Extract<Letter, { kind: 'invitation' }> = {
  id: ID,
  kind: 'invitation',
  to: { name: 'Ada', address: 'ada@example.com' },
  tenant: 'Acme Magazine',
  inviter: 'Grace Hopper',
  url: `https://cms.example/console/invitation#${TOKEN}`,
  expiresAt: '2026-02-07T09:30:00.000Z',
};
const RESET: Extract<Letter, { kind: 'reset' }> = {
  id: ID,
  kind: 'reset',
  to: { name: '', address: 'ada@example.com' },
  url: `https://cms.example/console/reset#${TOKEN}`,
  expiresAt: '2026-01-31T10:30:00.000Z',
};
const REVIEW: Extract<Letter, { kind: 'review' }> = {
  id: ID,
  kind: 'review',
  to: { name: 'Ada', address: 'ada@example.com' },
  tenant: 'Acme Magazine',
  by: 'Grace Hopper',
  title: 'Soda bread',
  contentType: 'Recipe',
  note: 'Is the oven too hot?\n<b>I am not sure.</b>',
  url: 'https://cms.example/console/ten_acme/recipe/ent_1',
  about: { typeId: ID, entryId: ID, at: WRITTEN_AT, memberId: ID },
};
const ALL = [INVITATION, RESET, REVIEW];

const compose = (letter: Letter) => composeLetter(letter, WRITTEN_AT, parseSender('Acme <office@acme.example>'));

describe('a letter', () => {
  it('has headers that are the same for each attempt, and that prevent automatic replies', () => {
    expect(compose(INVITATION)).toEqual(compose(INVITATION));
    expect(compose(INVITATION)).toMatchObject({
      id: expect.stringMatching(/^mail_\w{26}$/),
      messageId: `<${compose(INVITATION).id}@acme.example>`,
      date: new Date(WRITTEN_AT),
      to: { name: 'Ada', address: 'ada@example.com' },
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    expect(compose(INVITATION)).not.toHaveProperty('withoutEnvelopeSender');
  });

  it.each(ALL)(
    'shows its URL on a line of its own in the text, and as a link and as text in the HTML ($kind)',
    (letter) => {
      const { text, html } = compose(letter);
      expect(text.split('\n')).toContain(letter.url);
      expect(html.split(`href="${letter.url}"`)).toHaveLength(3);
      expect(html).toContain(`>${letter.url}</a>`);
    },
  );

  it.each(ALL)('says the same as text and as HTML, in English, and loads nothing ($kind)', (letter) => {
    const { text, html, subject } = compose(letter);
    const shown = html
      .replace(/[\s\S]*<h1/, '<h1')
      .replace(/<[^>]+>/g, ' ')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>');
    const words = (part: string) => part.split(/\s+/).filter((word) => word !== '');
    expect(words(shown).join(' ')).toContain(subject);
    for (const line of text.split('\n').filter((one) => /^[A-Z]/.test(one))) {
      expect(words(shown).join(' ')).toContain(line.replace(/:$/, ''));
    }
    expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
    expect(html).not.toMatch(/<(?:table|img|link|script)\b|url\(|@import/i);
  });
});

describe('an invitation', () => {
  it('names the inviter and the tenant, says how long it is valid, and what to do if one did not expect it', () => {
    const { subject, text } = compose(INVITATION);
    expect(subject).toBe('Grace Hopper invites you to Acme Magazine');
    expect(text).toBe(
      [
        'Grace Hopper invites you to Acme Magazine',
        '',
        'Accept the invitation to work in Acme Magazine. You sign in with this email address, or create an account for it.',
        '',
        'Accept the invitation:',
        INVITATION.url,
        '',
        'The link is valid for 7 days, until 7 February 2026 at 09:30 UTC, and works once.',
        '',
        '-- ',
        'If you did not expect this invitation, ignore this email. Without the link, nobody can accept it.',
        '',
      ].join('\n'),
    );
  });

  it('that nobody has written names the tenant', () => {
    const letter = { ...INVITATION, inviter: undefined };
    expect(compose(letter).subject).toBe('You are invited to Acme Magazine');
  });

  it('has no header, line, element or link from the name of the inviter', () => {
    const inviter = 'Eve\r\nBcc: eve@evil.example\n\n<a href="https://evil.example">\u202eclick</a> www.evil.example';
    const { subject, text, html } = compose({ ...INVITATION, inviter });
    expect(subject).not.toMatch(/\p{Cc}|\u202e/u);
    expect(subject).toMatch(/^Eve Bcc: eve@evil\[\.\]example/);
    expect(text.match(/^Bcc/gm)).toBeNull();
    for (const part of [text, html]) expect(part).not.toMatch(/https:\/\/evil|evil\.example|\u202e/);
    expect(html.match(/<a /g)).toHaveLength(2);
  });

  it('keeps the order of its sentence if a name is written from right to left', () => {
    expect(compose({ ...INVITATION, inviter: 'עדה' }).subject).toBe('\u2068עדה\u2069 invites you to Acme Magazine');
  });

  it('shortens a long name', () => {
    const { subject } = compose({ ...INVITATION, inviter: 'x'.repeat(5_000), tenant: 'y'.repeat(5_000) });
    expect(subject.length).toBeLessThanOrEqual(255);
    expect(subject).toContain(' invites you to y');
  });
});

describe('a password reset', () => {
  it('says how long its link is valid, and that nothing changes without it', () => {
    const { subject, text } = compose(RESET);
    expect(subject).toBe('Choose a new password');
    expect(text).toContain('valid for one hour, until 31 January 2026 at 10:30 UTC, and works once.');
    expect(text).toContain('If it was not you, ignore this email: nothing changes without the link.');
  });
});

describe('a request for a review', () => {
  it('says who asks, for which entry, and what they wrote', () => {
    const { subject, text, html } = compose(REVIEW);
    expect(subject).toBe('Review requested: Soda bread');
    expect(text).toContain(
      'Grace Hopper asks for a review of “Soda bread” (Recipe) in Acme Magazine:\n\n  Is the oven too hot?\n  <b>I am not sure.</b>\n',
    );
    expect(html).toContain('Is the oven too hot?<br>\n&lt;b&gt;I am not sure.&lt;/b&gt;');
  });

  it('has no quotation without a note, and a short one of a long note', () => {
    const silent = { ...REVIEW, note: undefined };
    expect(compose(silent).html).not.toContain('<blockquote');
    expect(compose(silent).text).toContain('in Acme Magazine.\n');
    expect(compose({ ...REVIEW, note: 'x'.repeat(100_000) }).text.length).toBeLessThan(4_000);
  });
});

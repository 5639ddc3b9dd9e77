import { furtherMailId, spelledAlike, wantedMails } from './recipients.js';

describe('the recipients of a submission', () => {
  it('get one email each, whatever the spelling of their address', () => {
    const rules = [
      { to: ['OFFICE@acme.example', 'info@münchen.example'] },
      { to: ['"office"@acme.example', 'info@xn--mnchen-3ya.example', 'info@mu\u0308nchen.example'], subject: 'Hello' },
    ];
    expect(wantedMails('office@acme.example', rules)).toEqual([
      { recipient: 'office@acme.example', subject: 'Hello' },
      { recipient: 'info@münchen.example', subject: 'Hello' },
    ]);
  });

  it('are spelled alike in all rules, so that a limit counts them as one', () => {
    const rules = [{ to: ['Office@acme.example', 'B@acme.example'] }, { to: ['b@acme.example', 'c@acme.example'] }];
    expect(spelledAlike('office@acme.example', rules)).toEqual([
      { to: ['office@acme.example', 'B@acme.example'] },
      { to: ['B@acme.example', 'c@acme.example'] },
    ]);
  });

  it('have emails whose IDs do not depend on the spelling', () => {
    const id = '01900000-0000-7000-8000-000000000001';
    expect(furtherMailId(id, 'Info@xn--mnchen-3ya.example')).toBe(furtherMailId(id, 'info@münchen.example'));
    expect(furtherMailId(id, 'a@acme.example')).not.toBe(furtherMailId(id, 'b@acme.example'));
  });
});

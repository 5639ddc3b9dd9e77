import { maskAddresses } from './refusal.js';

describe('a reason in the log', () => {
  it.each([
    ['550 5.1.1 <ada@example.com>: no such user', '550 5.1.1 <[address]>: no such user'],
    ['550 Ada@Example.com unknown; see eve@other.example', '550 [address] unknown; see [address]'],
    ['450 mailbox ada is busy', '450 mailbox [address] is busy'],
    ['554 "ada@example.com" (ada@example.com)', '554 "[address]" ([address])'],
    ['connect ECONNREFUSED 127.0.0.1:25', 'connect ECONNREFUSED 127.0.0.1:25'],
  ])('contains no address: %s', (reason, masked) => {
    expect(maskAddresses(reason, 'ada@example.com')).toBe(masked);
  });

  it('keeps its words if the recipient’s local part is short', () => {
    expect(maskAddresses('450 try again', 'a@b.c')).toBe('450 try again');
  });
});

import { isHost } from './hosts.js';

describe('a host in OUTBOUND_ALLOWED_HOSTS', () => {
  it.each(['crm.internal', 'CRM', 'crm.internal:8443', '10.1.2.3', '10.1.2.3:443', '[fd00::1]', '[fd00::1]:8443'])(
    'may be %s',
    (text) => expect(isHost(text)).toBe(true),
  );

  it.each([
    '',
    'https://crm.internal',
    'crm.internal/',
    'a b',
    '10.0.0.0/8',
    'user@crm',
    'crm:0',
    'crm:65536',
    'fd00::1',
    '0x7f.1',
  ])('may not be "%s"', (text) => expect(isHost(text)).toBe(false));
});

import { OperatorClient } from './operator-client.js';

describe('a request to a host that the operator chose', () => {
  const client = new OperatorClient({ allowedHosts: ['CRM.internal', '10.1.2.3:8443', '[fd00::1]'] });
  afterAll(() => client.close());

  it.each([
    'https://crm.internal/',
    'https://crm.internal:9000/path',
    'https://CRM.INTERNAL/',
    'https://10.1.2.3:8443/',
    'https://[fd00::1]/',
    'https://example.com/',
  ])('to %s is allowed', (url) => expect(client.checkTarget(url)).toBeUndefined());

  it.each(['https://10.1.2.3/', 'https://10.1.2.4:8443/', 'https://other.internal/', 'https://[fd00::2]/', 'nonsense'])(
    'to %s is refused',
    (url) => expect(client.checkTarget(url)).toEqual(expect.any(String)),
  );

  it('is refused if a name outside the list resolves to a private address', async () => {
    const options = { headers: {}, body: '', timeoutMs: 1_000 };
    const resolve = () => Promise.resolve([{ address: '10.1.2.3', family: 4 }]);
    const other = new OperatorClient({ allowedHosts: ['crm.internal'], resolve });
    expect(await other.post('https://other.example/', options)).toMatchObject({ error: 'address_not_public' });
    await other.close();
  });
});

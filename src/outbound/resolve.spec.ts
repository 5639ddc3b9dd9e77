import { Resolver } from 'node:dns/promises';
import { parseCidrs } from './address.js';
import { resolverFor } from './resolve.js';

const closed = { allowPrivateNetworks: false, allow: [] };
const notFound = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });

describe('resolution', () => {
  let resolve4: jest.SpyInstance;
  let resolve6: jest.SpyInstance;

  beforeEach(() => {
    resolve4 = jest.spyOn(Resolver.prototype, 'resolve4').mockRejectedValue(notFound);
    resolve6 = jest.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(notFound);
  });
  afterEach(() => jest.restoreAllMocks());

  it('finds the addresses of both families', async () => {
    resolve4.mockResolvedValue(['192.0.2.1', '192.0.2.2']);
    resolve6.mockResolvedValue(['2001:db8::1']);
    expect(await resolverFor(closed)('example.com')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
  });

  it('succeeds with the addresses of one family', async () => {
    resolve6.mockResolvedValue(['2001:db8::1']);
    expect(await resolverFor(closed)('example.com')).toEqual([{ address: '2001:db8::1', family: 6 }]);
  });

  it('rejects when DNS has no address, without the system resolver', async () => {
    await expect(resolverFor(closed)('localhost')).rejects.toMatchObject({
      code: 'name_unknown',
      message: 'DNS has no address for localhost.',
    });
  });

  it('tells a DNS server that fails from a name without an address', async () => {
    resolve6.mockRejectedValue(Object.assign(new Error('queryAaaa ESERVFAIL'), { code: 'ESERVFAIL' }));
    await expect(resolverFor(closed)('example.com')).rejects.toMatchObject({ code: 'dns' });
  });

  it('uses the system resolver after DNS when ranges are allowed', async () => {
    const found = await resolverFor({ ...closed, allow: parseCidrs('10.0.0.0/8') })('localhost');
    expect(found.map(({ address }) => address)).toContain('127.0.0.1');
    expect(resolve4).toHaveBeenCalledWith('localhost');
  });

  it('uses only the system resolver when all networks are allowed', async () => {
    const found = await resolverFor({ ...closed, allowPrivateNetworks: true })('localhost');
    expect(found.map(({ address }) => address)).toContain('127.0.0.1');
    expect(resolve4).not.toHaveBeenCalled();
  });
});

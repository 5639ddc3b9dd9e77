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

  it('is content with one family', async () => {
    resolve6.mockResolvedValue(['2001:db8::1']);
    expect(await resolverFor(closed)('example.com')).toEqual([{ address: '2001:db8::1', family: 6 }]);
  });

  it('rejects when DNS knows no address, without asking the system', async () => {
    await expect(resolverFor(closed)('localhost')).rejects.toThrow('DNS has no address for localhost.');
  });

  it('asks the system after DNS where ranges are opened', async () => {
    const found = await resolverFor({ ...closed, allow: parseCidrs('10.0.0.0/8') })('localhost');
    expect(found.map(({ address }) => address)).toContain('127.0.0.1');
    expect(resolve4).toHaveBeenCalledWith('localhost');
  });

  it('asks the system alone where all networks are open', async () => {
    const found = await resolverFor({ ...closed, allowPrivateNetworks: true })('localhost');
    expect(found.map(({ address }) => address)).toContain('127.0.0.1');
    expect(resolve4).not.toHaveBeenCalled();
  });
});

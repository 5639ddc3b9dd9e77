import { Logger } from '@nestjs/common';
import { forEachTenant, type TenantWork } from './each-tenant.js';

const work = (rest: Partial<TenantWork> = {}): TenantWork => ({
  name: 'Test',
  database: { isRestricted: (tenantId) => tenantId === 'ten_hung' },
  ...rest,
});

/** Runs a task for the tenants, which fails for those named ten_bad…, and returns those for which it succeeded. */
async function run(tenantIds: string[], rest?: Partial<TenantWork>): Promise<string[]> {
  const done: string[] = [];
  await forEachTenant(work(rest), tenantIds, (tenantId) => {
    if (tenantId.startsWith('ten_bad')) return Promise.reject(new Error(tenantId));
    done.push(tenantId);
    return Promise.resolve();
  });
  return done;
}

describe('work for each tenant', () => {
  let warn: jest.SpyInstance;
  beforeEach(() => (warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation()));
  afterEach(() => jest.restoreAllMocks());

  it('goes on with the others after a failure, and logs all failures once', async () => {
    expect(await run(['ten_a', 'ten_bad', 'ten_b', 'ten_bad2', 'ten_c'])).toEqual(['ten_a', 'ten_b', 'ten_c']);
    expect(warn.mock.calls).toEqual([
      [
        { err: new Error('ten_bad'), work: 'Test', tenants: 2, tenant_ids: ['ten_bad', 'ten_bad2'] },
        'Periodic work failed for some tenants; the next round tries again',
      ],
    ]);
  });

  it('leaves out tenants whose statements are not answered, and logs nothing', async () => {
    expect(await run(['ten_hung', 'ten_a'])).toEqual(['ten_a']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('ends when it is to stop', async () => {
    let left = 2;
    expect(await run(['ten_a', 'ten_b', 'ten_c'], { isStopping: () => left-- === 0 })).toEqual(['ten_a', 'ten_b']);
  });
});

import type { ExtensionScenario } from '../../test/support/extensions.js';

/** Every operation on redirects, for the tests of the whole service. */
export const scenario: ExtensionScenario = {
  async play(player) {
    const redirects = `/v1/redirects/${player.tenant.id}`;
    const redirect = await player.create(redirects, { source: '/old', target: '/new' });
    await player.create(redirects, { source: '/far', target: 'https://example.com/', status: 307 });
    await player.call('post', redirects, { source: '/old', target: '/taken' });
    await player.call('post', redirects, { source: 'old', target: 'javascript:alert(1)', status: 200 });
    for (const query of [
      '',
      'page=2&per_page=1',
      'cursor=',
      'per_page=0',
      'filter[source]=/old',
      'filter[source]=old',
    ]) {
      await player.call('get', `${redirects}?${query}`);
    }
    await player.follow(`${redirects}?cursor=&per_page=1`);
    await player.call('get', `${redirects}/${redirect}`);
    await player.call('patch', `${redirects}/${redirect}`, { target: '/newer', status: 308 });
    await player.call('patch', `${redirects}/${redirect}`, { source: '/far' });
    const doomed = await player.create(redirects, { source: '/doomed', target: '/new' });
    await player.call('delete', `${redirects}/${doomed}`);
    await player.call('delete', `${redirects}/${doomed}`);
    return { redirect_id: redirect };
  },
  updates: {
    'patch /v1/redirects/{tenant_id}/{redirect_id}': { source: '/moved', target: '/newest', status: 307 },
  },
  muchData: [
    `INSERT INTO redirects (tenant_id, id, source, target, status, created_at, updated_at)
      SELECT tenant_id, id, '/page' || number, '/new', 301, now(), now() FROM numbers`,
  ],
};

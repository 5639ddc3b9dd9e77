import { allowedSite, previewFramePolicy } from './preview-frame.js';

const TENANTS = [
  { id: 'ten_a', allowedOrigins: ['https://site.example', 'http://localhost:8080', 'https://cms.example'] },
  { id: 'ten_any', allowedOrigins: ['*'] },
  { id: 'ten_none' },
].map((tenant) => ({ ...tenant, name: tenant.id, apiKeys: [] }));
const OWN = 'https://cms.example';
const site = (tenant: unknown, asked: unknown) => allowedSite({ tenants: TENANTS }, { tenant, site: asked }, OWN);

describe('the site that a preview frame may show', () => {
  it.each([
    ['ten_a', 'https://site.example'],
    ['ten_a', 'http://localhost:8080'],
    ['ten_any', 'https://other.example'],
  ])('is one of the allowed origins: %s, %s', (tenant, asked) => {
    expect(site(tenant, asked)).toBe(asked);
  });

  it.each([
    ['ten_a', 'https://other.example'],
    ['ten_a', 'https://site.example/'],
    ['ten_a', 'https://site.example.evil.example'],
    ['ten_a', 'https://SITE.example'],
    ['ten_a', 'https://cms.example'],
    ['ten_a', 'null'],
    ['ten_a', ['https://site.example']],
    ['ten_a', undefined],
    ['ten_none', 'https://site.example'],
    ['ten_none', 'http://localhost:8080'],
    ['ten_unknown', 'https://site.example'],
    [undefined, 'https://site.example'],
    ['ten_any', "https://a;script-src'unsafe-inline'"],
    ['ten_any', 'https://a.example b.example'],
    ['ten_any', 'javascript:alert(1)'],
    ['ten_any', 'data:text/html,a'],
    ['ten_any', '*'],
  ])('is not another one: %s, %s', (tenant, asked) => {
    expect(site(tenant, asked)).toBeUndefined();
  });

  describe('of the demo tenant', () => {
    const local = 'http://localhost:3000';
    const shown = (tenant: string, asked: string, own = local) =>
      allowedSite({ tenants: TENANTS, demo: { tenantId: 'ten_none', key: '' } }, { tenant, site: asked }, own);

    it.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080', 'http://localhost'])(
      'may be on the machine of the browser: %s',
      (asked) => expect(shown('ten_none', asked)).toBe(asked),
    );

    it.each([
      'http://site.example',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
      'http://192.168.0.1',
      local,
      'http://127.0.0.1:3000',
    ])('is nowhere else: %s', (asked) => expect(shown('ten_none', asked)).toBeUndefined());

    it('is not for other tenants', () => expect(shown('ten_a', 'http://localhost:9090')).toBeUndefined());
  });

  it('is all that the page frames', () => {
    expect(previewFramePolicy('https://site.example')).toContain('; frame-src https://site.example;');
    expect(previewFramePolicy(undefined)).toContain("; frame-src 'none';");
  });
});

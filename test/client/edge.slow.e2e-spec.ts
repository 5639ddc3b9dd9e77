import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startApp, type TestApp } from '../support/app.js';
import { build } from '../support/service.js';

describe('the client in an edge runtime', () => {
  let app: TestApp;
  beforeAll(async () => {
    await build();
    app = await startApp();
  });
  afterAll(() => app.close());

  it('needs only the interfaces of the web', async () => {
    const { id, http, key } = app.tenant();
    await http.post(`/v1/content/${id}/types`, { name: 'Post', fields: [{ name: 'title', type: 'text' }] }).expect(201);
    await http.post(`/v1/forms/${id}`, { name: 'Contact', fields: [{ name: 'email', type: 'email' }] }).expect(201);
    const program = ['--no-warnings', '--experimental-vm-modules', join(import.meta.dirname, 'edge-runtime.mjs')];
    const { stdout } = await promisify(execFile)(process.execPath, [...program, app.url, id, key], {
      env: { PATH: process.env['PATH'] },
    });
    expect(JSON.parse(stdout)).toEqual({
      titles: ['Edge'],
      status: 404,
      email: 'ada@example.com',
      types: 1,
      forged: 'invalid_signature',
    });
  });
});

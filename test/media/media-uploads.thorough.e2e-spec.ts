import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { basename, join } from 'node:path';
import { parse as parseDisposition } from 'content-disposition';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { filesBelow } from '../support/files-below.js';
import { expectServerErrors } from '../support/server-errors.js';
import { BOUNDARY, multipart, type Part, pathOf, send, upload } from '../support/upload.js';
import { until } from '../support/until.js';

const MAX_BYTES = 300_000;

/** Splits a body before the content of its only part. */
function split(body: Buffer): Buffer[] {
  const at = body.indexOf('\r\n\r\n') + 4;
  return [body.subarray(0, at), body.subarray(at)];
}

describe('uploads', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp({ MEDIA_MAX_BYTES: String(MAX_BYTES) });
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterAll(() => app.close());

  /** The names of all stored files. */
  const stored = async (): Promise<string[]> => {
    const paths = await filesBelow(app.config.dataDir);
    return paths.filter((path) => path.startsWith('media')).map((path) => basename(path));
  };
  const wrong = async (parts: readonly Part[]) => {
    const { status, body } = await send(app, tenant, multipart(parts));
    expect(status).toBe(422);
    return body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
  };
  const file = (data: Buffer | string, filename = 'a'): Part => ({ name: 'file', filename, data });

  /** Checks that a rejected upload leaves no bytes, rows or events. */
  const leavingNothing = async (attempt: () => Promise<unknown>) => {
    const before = await stored();
    await attempt();
    expect(await stored()).toEqual(before);
    for (const table of ['media', 'orphaned_files', 'events']) {
      expect(await app.database.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenant.id])).toEqual([]);
    }
  };

  describe('detect the type from the bytes', () => {
    it.each([
      ['png', files.png, 'image/png', 'png'],
      ['jpeg', files.jpeg, 'image/jpeg', 'jpg'],
      ['webp', files.webp, 'image/webp', 'webp'],
      ['gif', files.gif, 'image/gif', 'gif'],
      ['avif', files.avif, 'image/avif', 'avif'],
      ['tiff', files.tiff, 'image/tiff', 'tif'],
      ['pdf', files.pdf, 'application/pdf', 'pdf'],
      ['mp3', files.mp3, 'audio/mpeg', 'mp3'],
      ['wav', files.wav, 'audio/wav', 'wav'],
      ['mp4', files.mp4, 'video/mp4', 'mp4'],
      ['docx', files.docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
      ['odt', files.odt, 'application/vnd.oasis.opendocument.text', 'odt'],
      ['svg', files.svg, 'image/svg+xml', 'svg'],
      ['bare svg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml', 'svg'],
      [
        'svg with a doctype',
        () => Buffer.from('\ufeff<!DOCTYPE svg PUBLIC "-//W3C" "x" [<!ENTITY a "b">]>\n<svg:svg xmlns:svg="x"/>'),
        'image/svg+xml',
        'svg',
      ],
      ['html', () => Buffer.from('<!doctype html><title>x</title>'), 'text/html', 'html'],
      ['html after a comment', () => Buffer.from('  <!-- x --><script>1</script>'), 'text/html', 'html'],
      ['xml', () => Buffer.from('<?xml version="1.0"?><a/>'), 'application/xml', 'xml'],
      ['json', () => Buffer.from('{"a": [1, 2]}'), 'application/json', 'json'],
      ['text', () => Buffer.from('Grüße, 世界\n'), 'text/plain', 'txt'],
      ['text in UTF-16', () => Buffer.from('\ufeffhello', 'utf16le'), 'text/plain', 'txt'],
      ['text that begins like a program', () => Buffer.from('MZ is a rapper'), 'text/plain', 'txt'],
      ['text that begins like a picture', () => Buffer.from('BM: the museum'), 'text/plain', 'txt'],
      ['broken json', () => Buffer.from('{"a": [1, 2'), 'text/plain', 'txt'],
    ])('of %s', async (_name, make, mimeType, extension) => {
      const media = await upload(app, tenant, await make(), 'name.bin');
      expect(media).toMatchObject({ mime_type: mimeType, filename: 'name.bin' });
      expect(media.url.endsWith(`.${extension}`)).toBe(true);
    });

    it('and detect CSV, which is plain text, also by the filename', async () => {
      expect(await upload(app, tenant, Buffer.from('a,b\n1,2\n'), 'data.csv')).toMatchObject({ mime_type: 'text/csv' });
      expect(await upload(app, tenant, Buffer.from('<svg/>'), 'data.csv')).toMatchObject({
        mime_type: 'image/svg+xml',
      });
      expect(await upload(app, tenant, await files.png(), 'data.csv')).toMatchObject({ mime_type: 'image/png' });
    });

    it('and ignore the type that filename and header claim', async () => {
      const html = Buffer.from('<html><script>alert(1)</script></html>');
      const { body } = await send(
        app,
        tenant,
        multipart([{ name: 'file', filename: 'cat.png', type: 'image/png', data: html }]),
      );
      expect(body.data).toMatchObject({ mime_type: 'text/html', filename: 'cat.png' });
      expect(body.data.url).toMatch(/\.html$/);
    });

    it.each([
      ['a program', () => files.exe()],
      ['an archive', () => files.zip()],
      ['random bytes', () => Buffer.from([0, 1, 2, 3, 250, 251, 7, 8])],
      ['a NUL in a text', () => Buffer.from('hello\0world')],
    ])('and reject %s that claims to be a picture', async (_name, make) => {
      await leavingNothing(async () => {
        const data = make();
        expect(await wrong([{ name: 'file', filename: 'cat.png', type: 'image/png', data }])).toEqual([
          'file media_type',
        ]);
      });
    });

    it.each([
      ['a GIF that is a script', () => Buffer.from('GIF89a/*\0\0\0\0*/=1;alert(document.domain)')],
      ['a PNG with only its first bytes', () => Buffer.from('\x89PNG\r\n\x1a\n<script>', 'latin1')],
      ['a JPEG with only its first bytes', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])],
    ])('and reject %s', async (_name, make) => {
      await leavingNothing(async () => {
        expect(await wrong([file(make(), 'cat.gif')])).toEqual([expect.stringMatching(/^file (damaged|media_type)$/)]);
      });
    });

    it('and treat a polyglot as the picture that it also is', async () => {
      const script = Buffer.from('<script>alert(1)</script><?php system("id"); ?>');
      const media = await upload(app, tenant, Buffer.concat([await files.jpeg(), script]), 'shell.php.html');
      expect(media.mime_type).toBe('image/jpeg');
      const { headers } = await app.client().get(pathOf(media.url)).expect(200);
      expect(headers).toMatchObject({ 'content-type': 'image/jpeg', 'x-content-type-options': 'nosniff' });
    });
  });

  it('accept only the types in MEDIA_TYPES', async () => {
    const strict = await startApp({ MEDIA_TYPES: 'image/*,application/zip' });
    try {
      const other = strict.tenant();
      await upload(strict, other, await files.png());
      await upload(strict, other, files.zip());
      const { status, body } = await send(strict, other, multipart([file('text')]));
      expect([status, body.errors[0]?.code]).toEqual([422, 'media_type']);
    } finally {
      await strict.close();
    }
  });

  describe('of pictures', () => {
    it('return the dimensions as displayed', async () => {
      expect(await upload(app, tenant, await files.turned())).toMatchObject({ width: 30, height: 40 });
      expect(await upload(app, tenant, files.svg())).toMatchObject({ width: 12, height: 8 });
      expect(await upload(app, tenant, files.pdf())).not.toHaveProperty('width');
    });

    it('never render an SVG: its size is read from its text', async () => {
      // Each level draws the one below ten times through a filter. A renderer would take minutes for these 2 KB.
      const levels = Array.from(
        { length: 9 },
        (_, level) => `<g id="l${level + 1}" filter="url(#f)">${`<use href="#l${level}"/>`.repeat(10)}</g>`,
      );
      const bomb = (attributes: string) =>
        Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><defs><filter id="f"><feGaussianBlur stdDeviation="90"/></filter>` +
            `<rect id="l0" width="9000" height="9000"/>${levels.join('')}</defs><use href="#l9"/></svg>`,
        );
      const started = performance.now();
      expect(await upload(app, tenant, bomb(''))).not.toHaveProperty('width');
      expect(await upload(app, tenant, bomb('width="40" height="30"'))).toMatchObject({ width: 40, height: 30 });
      expect(await upload(app, tenant, bomb('viewBox="0 0 12 8"'))).toMatchObject({ width: 12, height: 8 });
      expect(performance.now() - started).toBeLessThan(25_000);
      const utf16 = Buffer.from('\ufeff<svg width="5" height="6"/>', 'utf16le');
      expect(await upload(app, tenant, utf16)).toMatchObject({ width: 5, height: 6 });
    });

    it('reject decompression bombs', async () => {
      await leavingNothing(async () => {
        expect(await wrong([file(await files.bomb(30_000, 30_000))])).toEqual(['file too_many_pixels']);
      });
    });
  });

  describe('reject', () => {
    it('files larger than the limit, with and without Content-Length, leaving nothing', async () => {
      await leavingNothing(async () => {
        const png = Buffer.concat([await files.png(), Buffer.alloc(MAX_BYTES)]);
        const body = multipart([file(png)]);
        for (const length of [body.length, undefined]) {
          const answer = await send(app, tenant, [body.subarray(0, 100_000), body.subarray(100_000)], { length });
          expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
        }
        const huge = await send(app, tenant, [multipart([file(Buffer.alloc(5 * MAX_BYTES))])], {});
        expect(huge.status).toBe(413);
        const other = await send(app, tenant, [multipart([{ ...file(Buffer.alloc(5 * MAX_BYTES)), name: 'x' }])], {});
        expect(other.status).toBe(413);
      });
    });

    it('a file one byte above the maximum, and accept one of exactly the maximum', async () => {
      const png = await files.png();
      const exact = Buffer.concat([png, Buffer.alloc(MAX_BYTES - png.length)]);
      expect((await upload(app, tenant, exact)).size).toBe(MAX_BYTES);
      expect((await send(app, tenant, multipart([file(Buffer.concat([exact, Buffer.alloc(1)]))]))).status).toBe(413);
    });

    it.each(['text/plain', 'application/octet-stream', 'multipart/mixed; boundary=x', 'image/png', ''])(
      'the content type %s',
      async (type) => {
        const { status, body } = await send(app, tenant, Buffer.from('{}'), { type });
        expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
      },
    );

    it('multipart without a boundary, or that does not contain the boundary', async () => {
      for (const [type, text] of [
        ['multipart/form-data', 'x'],
        ['multipart/form-data; boundary=', 'x'],
        [`multipart/form-data; boundary=${BOUNDARY}`, 'no multipart at all'],
        [`multipart/form-data; boundary=${BOUNDARY}`, ''],
      ] as const) {
        const { status, body } = await send(app, tenant, Buffer.from(text), { type });
        expect([type, text, status, body.code]).toEqual([type, text, 400, 'malformed_multipart']);
      }
    });

    it('a missing, empty or repeated file, and unknown parts', async () => {
      const png = await files.png();
      await leavingNothing(async () => {
        expect(await wrong([{ name: 'alt', data: 'x' }])).toEqual(['file required']);
        expect(await wrong([file('', '')])).toEqual(['file required']);
        expect(await wrong([file('', 'empty.txt')])).toEqual(['file empty']);
        expect(await wrong([file(png), file(png)])).toEqual(['file duplicate']);
        expect(await wrong([{ name: 'file', data: 'text' }])).toEqual(['file type']);
        expect(await wrong([{ ...file(png), name: 'upload' }])).toEqual(['upload unknown_property', 'file required']);
        expect(await wrong([file(png), { name: 'title', data: 'x' }])).toEqual(['title unknown_property']);
        expect(await wrong([file(png), { name: '__proto__', data: 'x' }])).toEqual(['__proto__ unknown_property']);
      });
    });

    it('a wrong alternative text before or after the file', async () => {
      const png = await files.png();
      const alt = (data: Buffer | string): Part => ({ name: 'alt', data });
      await leavingNothing(async () => {
        expect(await wrong([alt('x'.repeat(1001)), file(png)])).toEqual(['alt length']);
        expect(await wrong([file(png), alt('x'.repeat(100_000))])).toEqual(['alt length']);
        expect(await wrong([file(png), alt('a\0b')])).toEqual(['alt text']);
        expect(await wrong([alt('a'), alt('b'), file(png)])).toEqual(['alt duplicate']);
        expect(await wrong([alt('a\0b'), { name: 'x', data: '' }])).toEqual([
          'alt text',
          'x unknown_property',
          'file required',
        ]);
      });
    });

    it('more parts than the maximum', async () => {
      const parts = Array.from({ length: 1000 }, (_, index) => ({ name: `f${index}`, data: 'x' }));
      expect(await wrong(parts)).toContain('body too_many');
    });
  });

  describe('that are cut off', () => {
    const png = async () => multipart([file(Buffer.concat([await files.png(), Buffer.alloc(200_000)]))]);

    it('in a complete request answer 400', async () => {
      const body = await png();
      await leavingNothing(async () => {
        for (const end of [20, 60, 100, 300, 100_000, body.length - 10]) {
          const answer = await send(app, tenant, body.subarray(0, end));
          expect([end, answer.status, answer.body?.code]).toEqual([end, 400, 'malformed_multipart']);
        }
      });
    });

    it('because the client disconnects leave nothing', async () => {
      const body = await png();
      await leavingNothing(async () => {
        for (const end of [0, 60, 100_000, body.length - 1]) {
          await expect(
            send(app, tenant, [body.subarray(0, end)], { length: body.length, abort: true }),
          ).rejects.toThrow('hung up');
        }
        for (let tries = 0; tries < 50 && (await stored()).length > 0; tries++) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      });
      expect((await app.client().get('/health/live')).status).toBe(200);
    });
  });

  it('of one tenant that never finish do not block another tenant, and are accepted again after they end', async () => {
    expectServerErrors(503);
    const [head = Buffer.alloc(0)] = split(multipart([file('text', 'slow.txt')]));
    const other = app.tenant();
    const { port } = app.app.getHttpServer().address() as AddressInfo;
    const sockets = Array.from({ length: 100 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `POST /v1/media/${tenant.id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Length: 1000\r\n` +
          `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\n\r\n`,
      );
      socket.write(head);
      socket.on('error', () => undefined);
      return socket;
    });
    let refused = '';
    // 32 are in progress, 64 wait, and the others are rejected. Those that wait are too, if it takes long.
    for (const socket of sockets) socket.once('data', (chunk) => (refused += chunk.toString().slice(0, 12)));
    await until(() => Promise.resolve(refused.startsWith('HTTP/1.1 503'.repeat(4))));
    await upload(app, other, await files.png());
    sockets.forEach((socket) => socket.destroy());
    // The tenant is rejected until the server has noticed that the sockets closed.
    const body = multipart([file(await files.png(), 'picture.png')]);
    await until(async () => (await send(app, tenant, body)).status === 201);
    await until(async () => (await readdir(join(app.config.dataDir, 'media-incoming'))).length === 0);
  });

  it('of fifty clients at once are not held in memory', async () => {
    const large = await startApp();
    try {
      const tenants = Array.from({ length: 50 }, () => large.tenant());
      const piece = Buffer.alloc(256 * 1024, 'text ');
      const [start = piece, end = piece] = split(multipart([file('', 'large.txt')]));
      const body = [start, ...Array<Buffer>(32).fill(piece), end];
      const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
      const before = used();
      let peak = 0;
      const watch = setInterval(() => (peak = Math.max(peak, used())), 5);
      const answers = await Promise.all(tenants.map((each) => send(large, each, body)));
      clearInterval(watch);
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(201));
      expect(answers[0]?.body.data.size).toBe(32 * piece.length);
      // All together they have 400 MiB. The garbage of earlier tests counts too.
      expect(peak - before).toBeLessThan(200 * 1024 * 1024);
    } finally {
      await large.close();
    }
  });

  describe('keep the name of the file, cleaned as that of a file in a form', () => {
    it.each([
      ['Unicode', 'Grüße 世界 🐈.png', 'Grüße 世界 🐈.png'],
      ['as browsers send quotation marks', 'the %22new%22 logo.png', 'the "new" logo.png'],
      ['as browsers send line ends', 'a%0D%0Ab%0Ac.png', 'abc.png'],
      ['a path', '../../../../etc/passwd', 'passwd'],
      ['an absolute path', '/etc/cron.d/evil', 'evil'],
      ['a Windows path', 'C:\\Users\\..\\..\\x.png', 'x.png'],
      ['control characters', 'a\u0001b\u001bc\u007f\0.png', 'abc.png'],
      ['right-to-left marks', 'photo\u202egnp.exe', 'photognp.exe'],
      ['markup', "<img src=x onerror='alert(1)'>.png", "_img src=x onerror='alert(1)'_.png"],
      ['300 characters', `${'ü'.repeat(296)}.png`, `${'ü'.repeat(146)}.png`],
      ['more than 1,000 characters', 'x'.repeat(1001), 'x'.repeat(150)],
      ['a semicolon', 'a; filename=b.png', 'a; filename=b.png'],
      ['only dots', '..', 'file'],
      ['per cent', '%2e%2e%2fx%00.png', '%2e%2e%2fx%00.png'],
    ])('%s', async (_name, filename, clean) => {
      const before = await stored();
      const media = await upload(app, tenant, await files.png(), filename);
      expect(media.filename).toBe(clean);
      const added = (await stored()).filter((name) => !before.includes(name));
      expect(added.concat('original')).toContain('original');
      expect((await stored()).length).toBe(before.length + 1);
      const served = await app.client().get(pathOf(media.url)).expect(200);
      const { type, parameters } = parseDisposition(served.headers['content-disposition'] ?? '');
      expect([type, parameters['filename']]).toEqual(['inline', clean]);
    });

    it('with a replacement for bytes that are no text', async () => {
      const bytes = multipart([file(await files.png(), 'MARK.png')]);
      const at = bytes.indexOf('MARK');
      bytes.write('\xff\xfe', at, 'latin1');
      expect((await send(app, tenant, bytes)).body.data.filename).toContain('\uFFFD');
    });
  });
});

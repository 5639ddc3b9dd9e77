import { readDocument } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { createType } from '../support/content.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';

interface Documented {
  name: string;
  in: string;
  required?: boolean;
}

interface Webhooks {
  webhooks: Record<string, { post: { parameters: Documented[] } }>;
}

describe('the headers of deliveries', () => {
  let app: TestApp;
  let receiver: Receiver;
  let document: Webhooks;
  beforeAll(async () => {
    [app, receiver] = await Promise.all([startApp(RECEIVER_ENV), startReceiver()]);
    document = (await readDocument(app)) as unknown as Webhooks;
  });
  afterAll(() => Promise.all([app.close(), receiver.close()]));

  it.each([
    ['with a secret', '/signed', { secret: 'generate' }, true],
    ['without a secret', '/unsigned', {}, false],
  ])('are those that the document lists, %s', async (_title, path, options, isSigned) => {
    const tenant = app.tenant();
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    const webhook = { url: receiver.url(path), events: ['entry.created'], ...options };
    await tenant.http.post(`/v1/webhooks/${tenant.id}`, webhook).expect(201);
    await tenant.http.post(type.entries, { fields: { title: 'a' } }).expect(201);
    const [delivery] = await receiver.until(path, 1);
    const received = Object.keys(delivery!.headers).filter((name) => /^(webhook|trivet)-/.test(name));
    const { parameters } = document.webhooks['entry.created']!.post;
    const listed = parameters.filter(({ required }) => required === true || isSigned).map(({ name }) => name);
    expect(received.sort()).toEqual(listed.sort());
    expect(parameters.map((parameter) => parameter.in)).toEqual(parameters.map(() => 'header'));
  });

  it('are listed in the same way for every event', () => {
    const lists = Object.values(document.webhooks).map(({ post }) => JSON.stringify(post.parameters));
    expect(new Set(lists).size).toBe(1);
  });
});

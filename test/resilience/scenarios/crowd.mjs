import { attackerAddress } from '../addresses.mjs';
import { noisePicture } from '../pictures.mjs';
import { RawClient } from '../raw-client.mjs';
import { wordyEntries } from '../seeds.mjs';
import { rawRequest } from '../toolkit.mjs';

const CONNECTIONS = 300;

export default {
  finding: 4,
  title:
    '300 closed-loop connections of one tenant (120 in the short form): gets, lists, contains, searches, creates, updates, pictures, schema changes',
  tenant: 'words',
  seconds: [15, 5],

  async setUp(t) {
    t.type = await wordyEntries(t, t.size(100_000, 25_000));
    t.changed = (await t.ask('POST', t.types, { name: 'Changed', fields: [{ name: 'text', type: 'text' }] })).id;
    t.entries = await t.ask('GET', `${t.type}/entries?per_page=100`);
    t.picture = await t.mustUpload(await noisePicture(1_200, 800), 'crowd.jpg');
  },

  async attack(t) {
    const lane = async (number) => {
      const client = new RawClient({ port: t.port, address: attackerAddress(number % 4) });
      for (let turn = number; !t.isOver; turn++) {
        const { status } = await client.request(requestOf(t, turn));
        if (!t.isOver) t.count(status);
      }
      client.close();
    };
    void Promise.all(Array.from({ length: t.size(CONNECTIONS, 120) }, (_, number) => lane(number)));
    await t.untilOver();
  },
};

const KINDS = [
  'get',
  'list',
  'create',
  'get',
  'contains',
  'update',
  'search',
  'get',
  'picture',
  'list',
  'schema',
  'file',
];

function requestOf(t, turn) {
  const { key, type } = t;
  const entry = t.entries[turn % t.entries.length].id;
  const text = `Émigré ${turn}`;
  switch (KINDS[turn % KINDS.length]) {
    case 'get':
      return rawRequest('GET', `${type}/entries/${entry}`, { key });
    case 'list':
      return rawRequest('GET', `${type}/entries?per_page=50&sort=-created_at`, { key });
    case 'contains':
      return rawRequest('GET', `${type}/entries?filter[tags][contains]=zz${turn}`, { key });
    case 'search':
      return rawRequest('GET', `${type}/entries?search=brucke%20number`, { key });
    case 'create':
      return rawRequest('POST', `${type}/entries`, { key, body: JSON.stringify({ fields: { body: text } }) });
    case 'update':
      return rawRequest('PATCH', `${type}/entries/${entry}`, { key, body: JSON.stringify({ fields: { body: text } }) });
    case 'picture':
      return rawRequest('GET', `${t.picture.path}?w=${100 + (turn % 900)}&format=webp`);
    case 'file':
      return rawRequest('GET', t.picture.path);
    default:
      return rawRequest('PUT', `${t.types}/${t.changed}`, { key, body: JSON.stringify({ fields: fieldsOf(turn) }) });
  }
}

/** Never returns the same fields twice in a row, so that each call is a change. */
function fieldsOf(turn) {
  return [{ name: 'text', type: 'text', max: 100 + (turn % 50), label: `Label ${turn}` }];
}

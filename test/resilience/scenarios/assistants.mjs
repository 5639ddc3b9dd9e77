import { largeEntries } from '../seeds.mjs';

const LANES = 100;
const HEADERS = { accept: 'application/json, text/event-stream' };
/** Of every kind of message: what takes no statement, what is read and cut, and what is checked and refused. */
const MESSAGES = [
  () => [
    'initialize',
    { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'flood', version: '1' } },
  ],
  () => ['tools/list', {}],
  () => ['resources/list', {}],
  ({ id }) => call('get_entry', { entry_id: id }),
  ({ id, typeId }) => call('get_entry', { content_type: typeId, entry_id: id, field: 'blob', offset: 500_000 }),
  ({ typeId }) => call('search_entries', { content_type: typeId, search: 'large', per_page: 2 }),
  ({ typeId }) => call('validate_entry', { content_type: typeId, fields: { title: 5, blob: FILLER } }),
  ({ typeId }) => call('create_entry', { content_type: typeId, fields: UNKNOWN }),
];
const FILLER = 'lorem ipsum '.repeat(2_000);
const UNKNOWN = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`unknown_${index}`, index]));

export default {
  finding: 'S',
  title: `${LANES} assistants of one tenant, which send all kinds of messages as fast as they are answered`,
  tenant: 'large',

  async setUp(t) {
    const type = await largeEntries(t, t.size(400, 200));
    const [{ id }] = await t.ask('GET', `${type}/entries?per_page=1&select=title`);
    t.target = { id, typeId: type.slice(type.lastIndexOf('/') + 1) };
  },

  async attack(t) {
    const bodies = MESSAGES.map((message, id) => {
      const [method, params] = message(t.target);
      return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
    await t.loop(LANES, (lane, turn) => {
      const body = bodies[(lane + turn) % bodies.length];
      return t.send('POST', `/mcp/${t.tenantId}`, body, { headers: HEADERS, discard: true });
    });
  },
};

function call(name, args) {
  return ['tools/call', { name, arguments: args }];
}

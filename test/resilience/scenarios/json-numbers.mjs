const BYTES = 520_000;

export default {
  finding: 3,
  title: '4 connections that post 520 KB of JSON numbers: flat, nested, and as values of a field of another type',

  async setUp(t) {
    const fields = [
      { name: 'data', type: 'json' },
      { name: 'number', type: 'integer' },
    ];
    const { id } = await t.ask('POST', t.types, { name: 'Numbers', fields });
    t.path = `${t.types}/${id}/entries`;
    const flat = Array.from({ length: BYTES / 2 }, (_, index) => index % 10).join(',');
    const nested = Array.from({ length: BYTES / 8 }, (_, index) => `[[${index % 10},1]]`).join(',');
    t.bodies = [`{"fields":{"data":[${flat}]}}`, `{"fields":{"data":[${nested}]}}`, `{"fields":{"number":[${flat}]}}`];
    t.bodies = t.bodies.map((text) => Buffer.from(text));
  },

  async attack(t) {
    await t.loop(4, (lane, turn) => t.send('POST', t.path, t.bodies[(lane + turn) % t.bodies.length]));
  },
};

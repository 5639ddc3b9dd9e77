const FIELDS = 100;
const VALUES = 1_000;

export default {
  finding: 4,
  title: '3 connections that create entries with 100,000 index rows each: 100 fields of 1,000 values',
  isLong: true,

  async setUp(t) {
    const fields = Array.from({ length: FIELDS }, (_, number) => ({
      name: `f${number}`,
      type: 'integer',
      multiple: true,
    }));
    const { id } = await t.ask('POST', t.types, { name: 'Rows', fields });
    t.path = `${t.types}/${id}/entries`;
    const values = Array.from({ length: VALUES }, (_, number) => number);
    t.body = Buffer.from(JSON.stringify({ fields: Object.fromEntries(fields.map(({ name }) => [name, values])) }));
  },

  async attack(t) {
    await t.loop(3, () => t.send('POST', t.path, t.body));
  },
};

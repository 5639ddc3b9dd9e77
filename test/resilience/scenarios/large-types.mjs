const FIELDS = 100;
const OPTIONS = 36;

export default {
  finding: 7,
  title:
    '150 content types of about 950 KB with one name (30 in the short form), each with an entry so that its schema is compiled',
  seconds: [20, 10],
  isLong: true,

  async setUp(t) {
    const options = Array.from({ length: OPTIONS }, (_, number) => `${number} `.padEnd(255, 'option '));
    const fields = Array.from({ length: FIELDS }, (_, number) => ({ name: `f${number}`, type: 'select', options }));
    t.body = Buffer.from(JSON.stringify({ name: 'Large type', fields }));
  },

  /** The service may reject further types with 409, 413, 422 or 507. */
  async attack(t) {
    const wanted = t.size(150, 30);
    let made = 0;
    const began = Date.now();
    await t.each(wanted, 2, async () => {
      const answer = await t.send('POST', t.types, t.body);
      if ([409, 413, 422, 507].includes(answer?.status)) return;
      if (answer?.status !== 201) return;
      const { id } = JSON.parse(answer.text).data;
      if ((await t.send('POST', `${t.types}/${id}/entries`, { fields: { f0: '0 ' } }))?.status !== undefined) made++;
    });
    t.note(`${made} of ${wanted} types in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    const isRefused = [409, 413, 422, 507].some((status) => t.counts[status] > wanted);
    return made < wanted && !isRefused ? [`${made} of ${wanted} types were created in time`] : [];
  },
};

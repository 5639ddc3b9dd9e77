export default {
  finding: 7,
  title: '10,000 small content types, each with an entry so that its schema is compiled',
  seconds: [25, 10],
  isLong: true,

  async attack(t) {
    const fields = [{ name: 'title', type: 'text', pattern: '^[a-z]+$' }];
    let made = 0;
    await t.each(10_000, 4, async (number) => {
      const answer = await t.send('POST', t.types, { name: `Type ${number}`, fields });
      if (answer?.status !== 201) return;
      const { id } = JSON.parse(answer.text).data;
      await t.send('POST', `${t.types}/${id}/entries`, { fields: { title: 'small' } });
      made++;
    });
    t.note(`${made} types`);
  },
};

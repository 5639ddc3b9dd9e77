/** Data that several scenarios use, created once through the API and then found by its slug. */
const LARGE_BYTES = 1_000_000;

/** Creates `count` entries of about 1 MB each. Returns the path of their type. */
export async function largeEntries(t, count) {
  const type = await typeOf(t, 'large', [
    { name: 'title', type: 'text' },
    { name: 'blob', type: 'json' },
  ]);
  const body = Buffer.from(
    JSON.stringify({ fields: { title: 'Large', blob: 'lorem ipsum '.repeat(LARGE_BYTES / 12) } }),
  );
  await fill(t, type, count, 4, () => body);
  return type;
}

/** The number of indexed values of each wordy entry. */
const VALUES_OF_ENTRY = 25;

/**
 * Creates published entries with `values` indexed values in total. Their accents, which index keys do not contain, force a search through
 * the texts themselves.
 */
export async function wordyEntries(t, values) {
  const type = await typeOf(t, 'wordy', [
    { name: 'body', type: 'text' },
    { name: 'tags', type: 'text', multiple: true },
  ]);
  await fill(t, type, values / VALUES_OF_ENTRY, 8, (number) => {
    const tags = Array.from({ length: VALUES_OF_ENTRY - 1 }, (_, index) => `Émigré à Paris ${number * 31 + index}`);
    return { fields: { body: `Über die Brücke, number ${number}`, tags }, status: 'published' };
  });
  return type;
}

/** Creates short entries with one text field. */
export async function shortEntries(t, slug, count, textOf) {
  const type = await typeOf(t, slug, [{ name: 'text', type: 'text' }]);
  await fill(t, type, count, 8, (number) => ({ fields: { text: textOf(number) } }));
  return type;
}

async function typeOf(t, slug, fields) {
  const types = await t.ask('GET', `${t.types}?per_page=100`);
  const found = types.find((type) => type.slug === slug);
  const { id } = found ?? (await t.ask('POST', t.types, { name: slug, slug, fields }));
  return `${t.types}/${id}`;
}

async function fill(t, type, count, lanes, bodyOf) {
  const list = await t.send('GET', `${type}/entries?per_page=1`);
  const { total } = JSON.parse(list.text).meta;
  await t.each(Math.max(0, count - total), lanes, async (number) => {
    await t.ask('POST', `${type}/entries`, bodyOf(total + number));
  });
}

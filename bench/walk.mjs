/** Reads the whole list by `cursor`, and checks that each entry appears once and in order. */

const PER_PAGE = 100;
/** The share of the pages to measure at the start, in the middle and at the end. */
const SHARE = 0.05;

/** Returns the mean milliseconds of a page at the start, in the middle and at the end of the walk. */
export async function walk(service, path) {
  const { meta } = await page(service, `${path}?per_page=1`);
  const times = [];
  let seen = 0;
  let last = '~';
  let cursor = '';
  do {
    const began = performance.now();
    const text = await textOf(service, `${path}?per_page=${PER_PAGE}&cursor=${cursor}`);
    times.push(performance.now() - began);
    const { data, meta } = JSON.parse(text);
    for (const { id } of data) {
      if (id >= last) throw new Error(`The list has ${id} after ${last}.`);
      last = id;
    }
    seen += data.length;
    cursor = meta.next_cursor;
  } while (cursor !== null);
  if (seen !== meta.total) throw new Error(`The list has ${seen} entries instead of ${meta.total}.`);
  const count = Math.max(1, Math.floor(times.length * SHARE));
  const middle = Math.floor((times.length - count) / 2);
  return {
    pages: times.length,
    start: mean(times.slice(1, count + 1)),
    middle: mean(times.slice(middle, middle + count)),
    // The very last page is seldom full.
    end: mean(times.slice(-count - 1, -1)),
  };
}

async function page(service, path) {
  return JSON.parse(await textOf(service, path));
}

async function textOf({ url, headers }, path) {
  const response = await fetch(`${url}${path}`, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return text;
}

function mean(times) {
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

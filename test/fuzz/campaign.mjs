/**
 * Takes turns over all operations until the time is over. A turn is a batch of an operation's cases, generated only from the seed, the
 * round and the operation: the same seed generates the same cases in the same order, however fast the responses are.
 */
import fc from 'fast-check';

const AT_ONCE = 6;
/** The maximum number of requests for shrinking a failing case. */
const MAX_SHRINKS = 60;
const MAX_SHRINK_MS = 15_000;

export class Campaign {
  rounds = 0;

  /** `sources` is a list of {id, cases, valid, play, casesATurn}. */
  constructor({ seed, sources, findings }) {
    Object.assign(this, { seed, sources, findings });
  }

  /** Plays until `isOver`, even in the middle of a round. */
  async run(isOver) {
    const turns = this.turns();
    const work = async () => {
      while (!isOver()) {
        const { value } = turns.next();
        await this.take(value, isOver);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  *turns() {
    for (;;) {
      const order = shuffled(this.sources, hash(`${this.seed} ${this.rounds}`));
      for (const source of order) yield { source, seed: hash(`${this.seed} ${this.rounds} ${source.id}`) };
      this.rounds++;
    }
  }

  /** Plays one batch. The first new fault ends it, after fast-check has shrunk the case. */
  async take({ source, seed }, isOver) {
    let failure;
    let shrinks = 0;
    let failedAt;
    const play = async (one) => {
      if (failure && (shrinks++ > MAX_SHRINKS || performance.now() - failedAt > MAX_SHRINK_MS)) return;
      if (isOver() && !failure) return;
      const played = await source.play(one);
      const fault = this.newFault(source.id, played.faults, failure?.fault);
      if (!fault) return;
      failure = { fault, ...played, one };
      failedAt ??= performance.now();
      throw new Error(fault.kind);
    };
    const check = (cases, numRuns) => fc.check(fc.asyncProperty(cases, play), { seed, numRuns });
    // However few turns there are, an operation has a request that must succeed.
    const first = source.valid && (await check(source.valid, 1));
    const result = first?.failed ? first : await check(source.cases, source.casesATurn);
    if (failure) await this.findings.add(source.id, failure.fault, failure);
    // Faults were recorded above. Any other error is a bug in this program.
    else if (result.failed) throw result.errorInstance;
  }

  newFault(id, faults, sought) {
    if (sought) return faults.find(({ kind }) => kind === sought.kind);
    return faults.find((fault) => !this.findings.isKnown(id, fault));
  }
}

/** The FNV-1a hash of a text, as an integer. */
export function hash(text) {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value | 0;
}

function shuffled(list, seed) {
  const keyed = list.map((one, index) => ({ one, key: hash(`${seed} ${index}`) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}

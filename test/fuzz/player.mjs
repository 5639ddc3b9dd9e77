/** Sends one case and returns the faults of the response. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTime } from '../../bench/processes.mjs';
import { echoFaults } from './echo.mjs';
import { BOUND_MS, jsonOf } from './judge.mjs';
import { Placeholders } from './placeholders.mjs';
import { bytesOf, targetOf } from './request.mjs';

/** The time-out, after which the response counts as missing. */
const TIMEOUT_MS = 30_000;
const TRIES_ALONE = 3;
/** A request that takes this long alone is reported when others in parallel were slow. */
const SUSPICIOUS_MS = 1_000;
const REMEMBERED = 40;

export class Player {
  inProgress = new Set();
  /** The most recent requests that have ended. */
  ended = [];

  constructor(stage) {
    Object.assign(this, stage);
  }

  /** Returns {faults, sent, bytes, answer, error}. Resources created for the case are deleted before that. */
  async play(one) {
    return this.resolved(one, async (sent, placeholders) => {
      const took = await this.lane.shared(() => this.send(sent, one));
      this.noteMade(placeholders, sent, took.answer);
      if (took.answer?.status === 503) return this.lane.alone(() => this.confirmUnavailable(sent, one, took));
      if (took.ms > BOUND_MS) return this.lane.alone(() => this.confirmSlow(one, took));
      return took;
    });
  }

  async resolved(one, work) {
    const placeholders = new Placeholders(this.world);
    try {
      const sent = await placeholders.resolve(one);
      return { sent, ...(await work(sent, placeholders)) };
    } finally {
      await placeholders.cleanUp();
    }
  }

  /** Returns {bytes, answer or error, ms, faults, beside}. */
  async send(sent, one) {
    const { bytes, isLongHead } = bytesOf(sent, this.defaultsOf(sent));
    const target = targetOf(sent);
    const current = { one, began: performance.now() };
    this.inProgress.add(current);
    let took;
    try {
      const answer = await this.wire.exchange(bytes, { method: sent.method, withinMs: TIMEOUT_MS });
      took = {
        answer,
        faults: [...this.judge.faultsOf(sent, target, answer), ...echoFaults(sent, jsonOf(answer), answer)],
      };
    } catch (error) {
      if (!error.reason) throw error;
      // A server that rejects a head as too long closes before it has read all of it, so its response may be lost.
      const isExpected = isLongHead && error.reason === 'closed';
      const fault = { kind: `no answer: ${error.reason}`, text: `No complete response arrived: ${error.message}.` };
      took = { error: error.message, status: error.reason, faults: isExpected ? [] : [fault] };
    } finally {
      this.inProgress.delete(current);
      current.until = performance.now();
      this.ended = [...this.ended.slice(-REMEMBERED), current];
    }
    const ms = current.until - current.began;
    this.coverage.count(this.operationOf(sent, target), sent, { status: took.status, ...took.answer, ms });
    return { ...took, ms, bytes, beside: this.beside(current) };
  }

  defaultsOf({ key }) {
    return [
      ['Host', `127.0.0.1:${this.world.port}`],
      ...(key === 'none' ? [] : [['Authorization', this.world.bearer(key)]]),
      ['X-Forwarded-For', this.world.newAddress()],
    ];
  }

  operationOf({ method, operation }, target) {
    return (
      this.world.document.match(method, target).operation?.id ??
      (operation.startsWith('(') ? operation : '(no operation)')
    );
  }

  /** The other cases that were in progress during more than half of this one. */
  beside({ one, began, until }) {
    const others = [...this.inProgress, ...this.ended].filter((other) => other.one !== one);
    const shared = (other) => Math.min(until, other.until ?? until) - Math.max(began, other.began);
    return others.filter((other) => shared(other) > (until - began) / 2).map((other) => other.one);
  }

  /**
   * Repeats a slow request alone, and once more with the requests that ran in parallel. If it is fast both times, the machine was busy:
   * that is counted, but is not a fault.
   */
  async confirmSlow(one, took) {
    const alone = await this.timed(one);
    const together = await Promise.all([one, ...took.beside].map((each) => this.timed(each)));
    const again = Math.max(...together.map(({ ms }) => ms));
    if (alone.ms <= BOUND_MS && again <= BOUND_MS) {
      this.coverage.slowOnce++;
      return { ...took, faults: took.faults.filter(({ kind }) => !kind.startsWith('no answer: timeout')) };
    }
    const culprits = [];
    for (const other of took.beside) culprits.push({ other, ...(await this.timed(other)) });
    const named = culprits
      .filter(({ ms }) => ms > SUSPICIOUS_MS)
      .map(
        ({ other, ms, cpuMs }) =>
          `${other.operation} takes ${ms} ms (${cpuMs} ms of processor time): ${JSON.stringify(other).slice(0, 400)}`,
      );
    const text =
      `It took ${Math.round(took.ms)} ms, alone ${alone.ms} ms (${alone.cpuMs} ms of processor time), and ${again} ms ` +
      `when repeated with ${took.beside.length} others. ${named.join(' ') || 'Those are fast alone.'}`;
    return {
      ...took,
      faults: [...took.faults, { kind: alone.ms > BOUND_MS ? 'slow alone' : 'slow in parallel with others', text }],
    };
  }

  async timed(one) {
    const { pid } = this.world.service.running;
    return this.resolved(one, async (sent, placeholders) => {
      const before = await cpuTime(pid);
      const took = await this.send(sent, one);
      this.noteMade(placeholders, sent, took.answer);
      return { ms: Math.round(took.ms), cpuMs: Math.round(((await cpuTime(pid)) - before) / 1000) };
    });
  }

  async confirmUnavailable(sent, one, took) {
    for (let tries = 1; tries <= TRIES_ALONE; tries++) {
      await sleep(1_000 * Number(took.answer.headers.get('retry-after')?.[0] ?? 1));
      const alone = await this.send(sent, one);
      if (alone.answer?.status !== 503) return took;
    }
    const text = 'The status is 503 even while no other request is in progress.';
    return { ...took, faults: [...took.faults, { kind: '503 without load', text }] };
  }

  /** Resources that a case creates are deleted after it, so that the fuzzed tenant stays unchanged. */
  noteMade(placeholders, { path }, answer) {
    if (answer?.status !== 201) return;
    const id = jsonOf(answer)?.data?.id;
    const [collection] = path.replace(/^https?:\/\/[^/]*/, '').split(/[?#]/);
    if (/^(ct|ent|wh|med)_/.test(id ?? '')) {
      const path = `${collection.replace(/\/+$/, '')}/${id}${id.startsWith('med') ? '?force=true' : ''}`;
      placeholders.made.push({ path });
    }
  }
}

/** Plays a script on a separate connection, and checks on another one that the service still responds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonOf } from './judge.mjs';
import { Placeholders } from './placeholders.mjs';
import { AnswerReader, Connection } from './wire.mjs';

/** Stop waiting for responses when nothing arrived for a while. */
const QUIET_MS = 150;
const LONGEST_MS = 5_000;
/** The limit for a response on another connection. */
const OTHERS_WITHIN_MS = 2_000;
/** The time-out for that response, however busy the machine is. */
const LONGEST_FOR_OTHERS_MS = 20_000;

/** The service responds to this many pipelined requests of one connection, and may close the connection for more. */
const MAX_PIPELINED = 32;

export class RawPlayer {
  constructor(stage) {
    Object.assign(this, stage);
  }

  async play(one) {
    const sent = await this.resolve(one);
    return this.lane.shared(async () => {
      const { answers, faults } = await this.converseTwice(sent);
      for (const answer of answers)
        this.coverage.count('(connection)', { flavour: 'raw', method: 'raw', path: one.name }, answer);
      faults.push(...this.judgeAnswers(sent, answers), ...(await this.judgeOthersTwice(sent)));
      const bytes = Buffer.from(
        sent.steps.map(({ send = '', times = 1 }) => (times > 20 ? send : send.repeat(times))).join(''),
        'latin1',
      );
      return { sent, bytes, faults, answer: answers[0] };
    });
  }

  async resolve(one) {
    const placeholders = new Placeholders(this.world);
    const address = this.world.newAddress();
    const steps = [];
    for (const step of one.steps) {
      steps.push(
        step.send ? { ...step, send: (await placeholders.fill(step.send)).replaceAll('{{address}}', address) } : step,
      );
    }
    return { ...one, steps };
  }

  /** Repeats a script whose responses do not arrive in time: the machine may have been busy. */
  async converseTwice(sent) {
    const first = await this.converse(sent);
    return first.answers.length < wantedOf(sent) ? this.converse(sent) : first;
  }

  async converse(sent) {
    const connection = await Connection.open(this.world.port);
    let leaves = false;
    try {
      for (const { send, times = 1, wait, end, leave } of sent.steps) {
        if (send) connection.send(Buffer.from(send.repeat(times), 'latin1'));
        if (wait) await sleep(wait);
        if (end) connection.socket.end();
        leaves ||= leave === true;
      }
      if (leaves) return { answers: [], faults: [] };
      await this.untilQuiet(connection, wantedOf(sent));
      return this.read(connection.pending);
    } finally {
      connection.close();
    }
  }

  /** Returns when the certain responses have arrived, none of them in part (such as 100 Continue), and nothing more arrives for a while. */
  async untilQuiet(connection, wanted) {
    const began = performance.now();
    let seen = -1;
    while (!connection.isClosed && performance.now() - began < LONGEST_MS) {
      if (seen === connection.pending.length) {
        const { answers, faults } = this.read(connection.pending);
        if (answers.length >= wanted && faults.length === 0) return;
      }
      seen = connection.pending.length;
      await sleep(QUIET_MS);
    }
  }

  /** All complete responses in the received bytes. A remaining part of one is a fault. */
  read(chunks) {
    const answers = [];
    let rest = Buffer.concat(chunks);
    try {
      while (rest.length > 0) {
        const reader = new AnswerReader('GET');
        if (!reader.push(rest) && !reader.end()) {
          return {
            answers,
            faults: [
              {
                kind: 'an incomplete response',
                text: `${JSON.stringify(rest.subarray(0, 200).toString('latin1'))} is not a complete response.`,
              },
            ],
          };
        }
        answers.push(reader.answer());
        ({ rest = Buffer.alloc(0) } = reader);
      }
      return { answers, faults: [] };
    } catch (error) {
      return { answers, faults: [{ kind: 'a malformed response', text: error.message }] };
    }
  }

  judgeAnswers({ name, steps, expect }, answers) {
    const faults = answers.flatMap((answer) => [
      ...(answer.status >= 500 && answer.status !== 503
        ? [{ kind: `status ${answer.status}`, text: `${name}: ${answer.status}` }]
        : []),
      ...this.judge.problemFaults(answer, jsonOf(answer)),
      ...this.judge.headerFaults(answer),
      ...this.judge.leaks(answer),
    ]);
    const first = answers[0]?.status ?? null;
    if (expect && !expect.includes(first) && first !== 503) {
      faults.push({
        kind: `${name}: expected ${expect.join()}`,
        text: `${name}: the first status is ${first}; it must be ${expect.join(' or ')}.`,
      });
    }
    const wanted = wantedOf({ name, steps, expect });
    if (answers.length < wanted) {
      faults.push({
        kind: 'requests without a response',
        text: `${name}: ${answers.length} of ${wanted} responses arrived.`,
      });
    }
    return faults;
  }

  /** Repeats a failed check: a script that delays others does so again, while a busy machine most likely does not. */
  async judgeOthersTwice(sent) {
    const faults = await this.judgeOthers();
    if (faults.length === 0) return faults;
    await this.converse(sent);
    return this.judgeOthers();
  }

  /** Checks that another connection of another client works as usual. */
  async judgeOthers() {
    const request = Buffer.from(`GET /health/live HTTP/1.1\r\nHost: 127.0.0.1:${this.world.port}\r\n\r\n`);
    const began = performance.now();
    const fault = (text) => [
      { kind: 'other clients are not served', text: `/health/live on another connection: ${text}.` },
    ];
    let connection;
    try {
      connection = await Connection.open(this.world.port);
      connection.send(request);
      const { status } = await connection.answer('GET', LONGEST_FOR_OTHERS_MS);
      if (status !== 200) return fault(`${status}`);
      const ms = performance.now() - began;
      return ms > OTHERS_WITHIN_MS ? fault(`a response after ${Math.round(ms)} ms`) : [];
    } catch (error) {
      return fault(`${error.message} after ${Math.round(performance.now() - began)} ms`);
    } finally {
      connection?.close();
    }
  }
}

/** The number of responses that must arrive, as far as that is certain. */
function wantedOf({ name, steps, expect }) {
  if (name === 'pipelined') return Math.min(steps[0].times, MAX_PIPELINED);
  return expect && !expect.includes(null) ? 1 : 0;
}

/** The findings, one of each kind, with the data needed to reproduce it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandOf } from './request.mjs';

const MAX_BODY_SHOWN = 1_500;

export class Findings {
  known = new Map();

  constructor({ seed, port, folder }) {
    Object.assign(this, { seed, port, folder });
  }

  get count() {
    return this.known.size;
  }

  static signature(operation, { kind }) {
    return `${operation}: ${kind}`;
  }

  /** Whether the same fault of the operation was found before. If so, counts it again. */
  isKnown(operation, fault) {
    const known = this.known.get(Findings.signature(operation, fault));
    if (known) known.count++;
    return known !== undefined;
  }

  /** Only `fault` is required. The last argument is the result of playing the case. */
  async add(operation, fault, { one, bytes, answer, error } = {}) {
    const signature = Findings.signature(operation, fault);
    if (this.known.has(signature)) return;
    const finding = { number: this.known.size + 1, operation, text: fault.text, count: 1 };
    this.known.set(signature, finding);
    finding.file = one && (await this.write(finding, { fault, one, bytes }));
    this.print(signature, finding, { one, bytes, answer, error });
  }

  async write(finding, { fault, one, bytes }) {
    await mkdir(this.folder, { recursive: true });
    const file = join(this.folder, `${finding.number}.json`);
    const contents = { seed: this.seed, fault, case: one, sent: bytes?.toString('base64') };
    await writeFile(file, JSON.stringify(contents, null, 2));
    return file;
  }

  print(signature, finding, { one, bytes, answer, error }) {
    const lines = [`\n✗ ${finding.number}. ${signature}`, `  ${finding.text}`];
    if (one) lines.push(`  Repeat: npm run test:fuzz -- --replay ${finding.file} (seed ${this.seed}, ${one.flavour})`);
    if (one?.steps) lines.push(`  Script: ${JSON.stringify(one.steps).slice(0, MAX_BODY_SHOWN)}`);
    else if (bytes) lines.push(`  Request: ${commandOf(bytes, this.port)}`);
    if (error) lines.push(`  No response: ${error}`);
    if (answer) lines.push(`  Response: ${shownAnswer(answer)}`);
    console.log(lines.join('\n'));
  }

  summarize() {
    for (const [signature, { number, count }] of this.known) console.log(`  ${number}. ${signature}: ${count} times`);
  }
}

function shownAnswer({ status, headers, body, ms }) {
  const text = body.subarray(0, MAX_BODY_SHOWN).toString();
  return `${status} after ${Math.round(ms ?? 0)} ms, ${headers.get('content-type') ?? 'no type'}, ${text}${body.length > MAX_BODY_SHOWN ? ' …' : ''}`;
}

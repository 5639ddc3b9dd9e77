import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem } from '../../errors/problem.js';
import { isRecord } from '../../fields/record.js';
import type { ToolAnswer, Cut, Members } from './answer.js';
import { cutValue, putMember } from './cut-value.js';
import { jsonOf } from './text-piece.js';
import { levelOf, MAX_ANSWER_BYTES, weightOf, weightOfJson } from './weight.js';

/** Entries that an answer includes besides those of its page. */
const MAX_INCLUDED = 25;
/** For what stands around the answer in the message, and for the note. */
const AROUND = 2_048;
/** Records are left out rather than that values are cut to less. */
const MIN_LEVEL = 400;
/** What is tried with ever less until the whole answer fits, because the list of what was cut has a weight too. */
const SHRINKING = 0.85;

/** A member of a record that may be cut. */
interface Unit {
  record: Members;
  /** The record, or its `fields`. */
  container: Members;
  name: string;
  value: unknown;
  weight: number;
  /** The characters of a text, or of another value as JSON. */
  length: number;
}

/** Returns the answer so that it is not larger than a tool may answer: long texts are cut, and records left out where that is not enough. */
export function* fitAnswer(answer: ToolAnswer): SlicedWork<ToolAnswer> {
  const fitting = limitIncluded(answer);
  const units = yield* unitsOf(fitting);
  for (let maximum = MAX_ANSWER_BYTES - AROUND; ; maximum = Math.floor(maximum * SHRINKING)) {
    const { shown, cut } = yield* cutTo(fitting, units, maximum);
    const whole = { ...shown, ...(cut.length > 0 && { cut }), ...noteOf(shown, cut) };
    if (weightOf(whole) <= MAX_ANSWER_BYTES - AROUND) return whole;
    yield;
  }
}

function limitIncluded({ included, ...answer }: ToolAnswer): ToolAnswer {
  if (!included) return answer;
  const all = Object.entries(included);
  if (all.length <= MAX_INCLUDED) return { ...answer, included };
  return { ...answer, included: Object.fromEntries(all.slice(0, MAX_INCLUDED)), left_out: all.length - MAX_INCLUDED };
}

/** Takes the members out of their records, where null stands for them. */
function* unitsOf(answer: ToolAnswer): SlicedWork<Unit[]> {
  const units: Unit[] = [];
  for (const record of [...recordsOf(answer), ...Object.values(answer.included ?? {})]) {
    const { fields } = record;
    const container = isRecord(fields) ? fields : record;
    for (const [name, value] of Object.entries(container)) {
      units.push({ record, container, name, value, ...(yield* weigh(value)) });
      yield;
    }
  }
  return units;
}

/** What is far too large is not weighed exactly. */
function* weigh(value: unknown): SlicedWork<Pick<Unit, 'weight' | 'length'>> {
  if (typeof value === 'string') {
    const { length } = value;
    return { length, weight: length > MAX_ANSWER_BYTES ? 2 * length : weightOf(value) };
  }
  const json = yield* jsonOf(value);
  const { length } = json;
  return { length, weight: length > MAX_ANSWER_BYTES ? 2 * length : weightOfJson(json) };
}

/** Cuts the members, and leaves out records from the end, so that the rest weighs at most `maximum`. */
function* cutTo(
  answer: ToolAnswer,
  all: readonly Unit[],
  maximum: number,
): SlicedWork<{ shown: ToolAnswer; cut: Cut[] }> {
  let shown = answer;
  for (;;) {
    const records = new Set([...recordsOf(shown), ...Object.values(shown.included ?? {})]);
    const units = all.filter(({ record }) => records.has(record));
    for (const { container, name } of units) putMember(container, name, null);
    const level = levelOf(
      units.map(({ weight }) => weight),
      maximum - weightOf(shown),
    );
    if (level >= MIN_LEVEL) return { shown, cut: yield* cutUnits(units, level) };
    shown = withFewer(shown);
    yield;
  }
}

function* cutUnits(units: readonly Unit[], level: number): SlicedWork<Cut[]> {
  const cut: Cut[] = [];
  for (const { record, container, name, value, weight, length } of units) {
    if (weight <= level) {
      putMember(container, name, value);
      continue;
    }
    const { shown, parts } = yield* cutValue(value, level, length);
    if (shown !== undefined) putMember(container, name, shown);
    // The schema of a record may require its members, but not the fields of an entry.
    else if (container === record) putMember(container, name, Array.isArray(value) ? [] : {});
    else Reflect.deleteProperty(container, name);
    const { id = '' } = record as { id?: string };
    for (const { path, ...part } of parts) cut.push({ id, field: path === '' ? name : `${name}.${path}`, ...part });
    yield;
  }
  return cut;
}

/** Leaves out what is included, then the last half of the records. Throws a 400 if only one is left. */
function withFewer({ included, left_out: leftOut = 0, ...answer }: ToolAnswer): ToolAnswer {
  if (included && Object.keys(included).length > 0) {
    return { ...answer, included: {}, left_out: leftOut + Object.keys(included).length };
  }
  const { data } = answer;
  if (!Array.isArray(data) || data.length < 2) throw tooMuch();
  const kept = data.slice(0, Math.floor(data.length / 2));
  return { ...answer, ...(included && { included }), data: kept, left_out: leftOut + data.length - kept.length };
}

function recordsOf({ data }: ToolAnswer): Members[] {
  return (Array.isArray(data) ? data : [data]).filter(isRecord);
}

function noteOf({ left_out: leftOut }: ToolAnswer, cut: readonly Cut[]): Pick<ToolAnswer, 'note'> {
  const sentences = [
    ...(cut.length > 0
      ? [
          '`cut` lists texts and values that are not whole. Read on with the `field` and the `offset` that it names, in the same `locale` and with the same `preview`.',
        ]
      : []),
    ...(leftOut
      ? [
          '`left_out` records of this answer are not shown, and the next page begins after them. Ask for fewer at once, with per_page, select or without include.',
        ]
      : []),
  ];
  return sentences.length > 0 ? { note: sentences.join(' ') } : {};
}

function tooMuch(): Problem {
  const detail = `The record has so many values that an answer of ${MAX_ANSWER_BYTES} bytes cannot show them. Ask for some fields with select.`;
  return new Problem('invalid_parameter', detail);
}

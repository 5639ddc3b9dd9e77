import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { isRecord, supplied } from '../../fields/record.js';
import type { Schema } from '../../fields/schema.js';
import type { BodyOfValue } from '../../http/bodies/dto.pipe.js';
import { firstUuidOf } from '../../ids/type-id.js';
import { isBlank } from '../../validation/blank.js';
import type { CompiledForm } from '../form-schemas.js';
import type { SpamSettings } from '../settings/form-settings.js';
import { BlockedWords } from './blocked-words.js';
import { Challenges, type ValidProof } from './challenges.js';

/** What a submission contains beside the values of its fields. */
interface OwnValues {
  /** `_t` */
  token: unknown;
  /** `_altcha` */
  proof: unknown;
  /** Whether the honeypot is filled in. */
  honeypot: boolean;
}

export const TOKEN = '_t';
export const PROOF = '_altcha';
/** Honeypots of forms that were made for other services (Formspree, Netlify). They count without a setting. */
export const USUAL_TRAPS: readonly string[] = ['_gotcha', 'bot-field'];

/** Why a submission is spam, in the order in which they are listed. */
export const SPAM_REASONS = ['honeypot', 'too_fast', 'links', 'blocked_word', 'duplicate', 'challenge'] as const;
export type SpamReason = (typeof SPAM_REASONS)[number];

/** What the checks say before the submission is written. Its statement adds `duplicate` and `challenge`. */
export interface Judgement {
  reasons: readonly SpamReason[];
  /** The smallest ID of an earlier submission that makes an equal one a duplicate; null if duplicates are allowed. */
  duplicatesSince: string | null;
  asksForProof: boolean;
  /** Null if the proof is not asked for, missing or wrong. */
  proof: ValidProof | null;
  /** Whether the form wants to know when the visitor received it, and no valid token tells it. */
  isUntimed: boolean;
  /** Whether it passed a check that a program cannot pass by leaving something out: a proof of work, or a time token that is old enough. */
  isGuarded: boolean;
}

/** A submission with valid values. */
interface Judged {
  tenantId: string;
  form: Pick<CompiledForm, 'id' | 'schema' | 'settings'>;
  own: OwnValues;
  values: Readonly<Record<string, string>>;
}

/** `https://www.…` is one link. */
const LINK = /https?:\/\/(?:www\.)?|(?<![\p{L}\p{N}])www\./giu;

const blockedWords = new WeakMap<readonly string[], BlockedWords>();

/** The one step that decides whether a submission is spam, however it was sent. */
@Injectable()
export class SpamChecks {
  constructor(private readonly challenges: Challenges) {}

  /** Returns undefined if the form has no checks, unless a usual honeypot is filled in. */
  async judge(
    judged: Judged,
    { isHeavy, queueKey }: Pick<BodyOfValue, 'isHeavy' | 'queueKey'>,
  ): Promise<Judgement | undefined> {
    const { form, own, tenantId } = judged;
    const { spam = {} } = form.settings;
    if (Object.keys(spam).length === 0 && !own.honeypot) return undefined;
    const ofTexts = textReasons(spam, form.schema, judged.values);
    const found = new Set<SpamReason>(await heavyWork.runIf(isHeavy, queueKey, ofTexts));
    if (own.honeypot) found.add('honeypot');
    const { challenge: asksForProof = false, duplicates_within: seconds, require_token: requiresToken } = spam;
    const timing = this.timingOf(judged, spam);
    if (timing === 'too fast' || (timing === 'unknown' && requiresToken)) found.add('too_fast');
    const proof = asksForProof ? this.challenges.verify({ tenantId, formId: form.id }, own.proof) : undefined;
    return {
      reasons: SPAM_REASONS.filter((reason) => found.has(reason)),
      duplicatesSince: seconds === undefined ? null : firstUuidOf(new Date(Date.now() - seconds * 1000)),
      asksForProof,
      proof: proof ?? null,
      isUntimed: timing === 'unknown',
      isGuarded: proof !== undefined || timing === 'in time',
    };
  }

  /**
   * Whether the visitor needed the time that the form sets, by the token that the page got with it. A token that is missing, not valid or of
   * another form says nothing. Undefined if the form does not ask for one.
   */
  private timingOf(
    { tenantId, form, own }: Judged,
    { min_seconds: seconds, require_token: requiresToken }: SpamSettings,
  ): 'in time' | 'too fast' | 'unknown' | undefined {
    if (seconds === undefined && !requiresToken) return undefined;
    const age = this.challenges.ageOf({ tenantId, formId: form.id }, own.token);
    if (age === undefined) return 'unknown';
    return seconds === undefined ? undefined : age < seconds * 1000 ? 'too fast' : 'in time';
  }
}

function* textReasons(
  { max_links: maxLinks, blocked_words: words }: SpamSettings,
  schema: Schema,
  values: Readonly<Record<string, string>>,
): SlicedWork<SpamReason[]> {
  const reasons: SpamReason[] = [];
  if (maxLinks !== undefined) {
    let links = 0;
    for (const { name, definition } of schema.fields) {
      if (definition.type !== 'url') links += linksIn(values[name] ?? '');
      yield;
    }
    if (links > maxLinks) reasons.push('links');
  }
  if (words && (yield* blockedWordsOf(words).areInSliced(Object.values(values)))) reasons.push('blocked_word');
  return reasons;
}

function linksIn(text: string): number {
  return text.match(LINK)?.length ?? 0;
}

/** The settings of a form are cached, so its words are compiled once. */
function blockedWordsOf(words: readonly string[]): BlockedWords {
  const compiled = blockedWords.get(words) ?? new BlockedWords(words);
  blockedWords.set(words, compiled);
  return compiled;
}

/**
 * Separates `_t`, `_altcha` and the honeypots from the fields, as JSON and as form data. A honeypot that is a field of the form stays
 * among the fields too. Changes nothing that was passed.
 */
export function takeOwnValues(
  sent: unknown,
  { schema, settings }: Pick<CompiledForm, 'schema' | 'settings'>,
): { fields: unknown; own: OwnValues } {
  if (!isRecord(sent)) return { fields: sent, own: { token: undefined, proof: undefined, honeypot: false } };
  const trap = settings.spam?.honeypot;
  const field = trap === undefined ? undefined : schema.field(trap);
  const usual = USUAL_TRAPS.filter((name) => !schema.field(name));
  const own = {
    token: supplied(sent, TOKEN),
    proof: supplied(sent, PROOF),
    honeypot:
      (trap !== undefined && !isEmpty(supplied(sent, trap), field?.definition.type === 'checkbox')) ||
      usual.some((name) => !isEmpty(supplied(sent, name), false)),
  };
  const taken = [TOKEN, PROOF, ...usual, ...(trap === undefined || field ? [] : [trap])];
  if (!taken.some((name) => Object.hasOwn(sent, name))) return { fields: sent, own };
  return { fields: Object.fromEntries(Object.entries(sent).filter(([name]) => !taken.includes(name))), own };
}

function isEmpty(value: unknown, isCheckbox: boolean): boolean {
  if (value === undefined) return true;
  return typeof value === 'string' && (isBlank(value) || (isCheckbox && value === 'false'));
}

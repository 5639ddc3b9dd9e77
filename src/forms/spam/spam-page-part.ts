import { Injectable, type OnModuleInit } from '@nestjs/common';
import { escapeHtml } from '../../fields/formats/escape-html.js';
import type { CompiledForm } from '../form-schemas.js';
import { type PagePart, PageParts } from '../pages/page-parts.js';
import type { Words } from '../pages/texts/words.js';
import { Challenges } from './challenges.js';

/** Adds what the spam checks of a form need to its pages: a fresh time token, the field that visitors do not see, and the one for the proof. */
@Injectable()
export class SpamPagePart implements OnModuleInit {
  constructor(
    private readonly parts: PageParts,
    private readonly challenges: Challenges,
  ) {}

  onModuleInit(): void {
    this.parts.add((tenantId, form, words) => this.of(tenantId, form, words));
  }

  private of(tenantId: string, { id: formId, schema, settings }: CompiledForm, words: Words): PagePart | undefined {
    const { min_seconds: minSeconds, require_token: requiresToken, honeypot, challenge } = settings.spam ?? {};
    const html = [
      minSeconds === undefined && !requiresToken
        ? ''
        : `<input type="hidden" name="_t" value="${this.challenges.timeToken({ tenantId, formId })}">`,
      honeypot === undefined || schema.field(honeypot) ? '' : trapOf(honeypot, words),
      challenge ? proofHtml(words) : '',
    ].filter((part) => part !== '');
    if (html.length === 0) return undefined;
    return { html: html.join('\n'), ...(challenge && { end: statusHtml(words), needsScript: true }) };
  }
}

/** Programs fill it in. It is hidden from people, whatever they use to read the page. */
function trapOf(name: string, words: Words): string {
  const label = escapeHtml(words.text('trap'));
  return `<div hidden><label>${label} <input name="${escapeHtml(name)}" tabindex="-1" autocomplete="off"></label></div>`;
}

/** The script of the page fills it in. `autocomplete` keeps browsers from restoring a proof that was used. */
function proofHtml(words: Words): string {
  return `<input type="hidden" name="_altcha" value="" autocomplete="off">
<noscript><p class="hint">${escapeHtml(words.text('no_script'))}</p></noscript>`;
}

/** The script of the page says here how far it is, in these words. */
function statusHtml(words: Words): string {
  const texts = {
    checking: words.text('checking'),
    checked: words.text('checked'),
    waits: words.text('check_waits'),
    failed: words.text('check_failed'),
  };
  const data = Object.entries(texts).map(([name, text]) => ` data-${name}="${escapeHtml(text)}"`);
  return `<p class="hint" id="proof.status" role="status"${data.join('')}></p>`;
}

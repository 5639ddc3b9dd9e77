import { Injectable, type OnModuleInit } from '@nestjs/common';
import { escapeHtml } from '../../fields/escape-html.js';
import type { CompiledForm } from '../form-schemas.js';
import { type PagePart, PageParts } from '../pages/page-parts.js';
import { Challenges } from './challenges.js';

/** Adds what the spam checks of a form need to its pages: a fresh time token, the field that visitors do not see, and the one for the proof. */
@Injectable()
export class SpamPagePart implements OnModuleInit {
  constructor(
    private readonly parts: PageParts,
    private readonly challenges: Challenges,
  ) {}

  onModuleInit(): void {
    this.parts.add((tenantId, form) => this.of(tenantId, form));
  }

  private of(tenantId: string, { id: formId, schema, settings }: CompiledForm): PagePart | undefined {
    const { min_seconds: minSeconds, honeypot, challenge } = settings.spam ?? {};
    const html = [
      minSeconds === undefined
        ? ''
        : `<input type="hidden" name="_t" value="${this.challenges.timeToken({ tenantId, formId })}">`,
      honeypot === undefined || schema.field(honeypot) ? '' : trapOf(honeypot),
      challenge ? PROOF : '',
    ].filter((part) => part !== '');
    if (html.length === 0) return undefined;
    return { html: html.join('\n'), ...(challenge && { end: PROOF_STATUS, needsScript: true }) };
  }
}

/** Programs fill it in. It is hidden from people, whatever they use to read the page. */
function trapOf(name: string): string {
  return `<div hidden><label>Leave this field empty <input name="${escapeHtml(name)}" tabindex="-1" autocomplete="off"></label></div>`;
}

/** The script of the page fills it in. `autocomplete` keeps browsers from restoring a proof that was used. */
const PROOF = `<input type="hidden" name="_altcha" value="" autocomplete="off">
<noscript><p class="hint">This form asks for a proof of work, which a script of this page computes. Without it, your message may be treated as spam.</p></noscript>`;
/** The script of the page says here how far it is. */
const PROOF_STATUS = '<p class="hint" id="proof.status" role="status"></p>';

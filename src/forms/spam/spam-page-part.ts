import { Injectable, type OnModuleInit } from '@nestjs/common';
import { escapeHtml } from '../../fields/escape-html.js';
import type { CompiledForm } from '../form-schemas.js';
import { type PagePart, PageParts } from '../pages/page-parts.js';
import { Challenges } from './challenges.js';

/** Adds what the spam checks of a form need to its pages: a fresh time token, and the field that visitors do not see. */
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
      challenge ? NO_PROOF : '',
    ].filter((part) => part !== '');
    return html.length > 0 ? { html: html.join('\n') } : undefined;
  }
}

/** Programs fill it in. It is hidden from people, whatever they use to read the page. */
function trapOf(name: string): string {
  return `<div hidden><label>Leave this field empty <input name="${escapeHtml(name)}" tabindex="-1" autocomplete="off"></label></div>`;
}

const NO_PROOF =
  '<p class="hint">This page cannot compute the proof of work that this form asks for. Your message may be treated as spam.</p>';

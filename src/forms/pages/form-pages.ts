import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../../config/config.js';
import { Problem, type ProblemCode } from '../../errors/problem.js';
import { escapeHtml } from '../../fields/formats/escape-html.js';
import { sentFormOf } from '../../http/bodies/form-body.js';
import { PublicUrl } from '../../http/public-url.js';
import { Tenants } from '../../tenants/tenants.js';
import { type CompiledForm, type FormName, FormSchemas } from '../form-schemas.js';
import { Redirects } from '../redirects.js';
import { type FormContent, formHtml } from './form-page.js';
import { type RenderedPage, renderPage } from './page-layout.js';
import { PageParts } from './page-parts.js';
import { type PageView, queryOf, viewOf } from './page-view.js';
import { REDIRECT } from './submitted-values.js';
import { Words } from './texts/words.js';
import { parseUrl } from '../../validation/parse-url.js';

/** Problems that visitors can understand. Each has a text of its name, and one for its title. */
const EXPLAINED = [
  'not_found',
  'rate_limited',
  'payload_too_large',
  'unavailable',
  'request_timeout',
  'limit_reached',
  'forbidden',
] as const satisfies readonly ProblemCode[];

/** The pages that visitors see: the form, the form with what is wrong, thanks, and problems. */
@Injectable()
export class FormPages {
  constructor(
    private readonly forms: FormSchemas,
    private readonly tenants: Tenants,
    private readonly redirects: Redirects,
    private readonly publicUrl: PublicUrl,
    private readonly parts: PageParts,
    private readonly config: Config,
  ) {}

  /** Returns the page of a form as it is now. Throws a 404 if the tenant or the form is unknown. */
  async hosted(name: FormName, request: Request): Promise<RenderedPage> {
    const view = viewOf(request);
    if (!this.tenants.find(name.tenantId)) throw Problem.notFound('form');
    const form = await this.forms.named(name.tenantId, name.idOrSlug, 0);
    if (!form.settings.closed) return this.formPage(name, form, { view, redirect: form.settings.redirect });
    const words = wordsOf(view, form);
    return this.textPage(name.tenantId, view, words, { title: form.name, text: words.text('closed') });
  }

  /** Returns the page after a submission, with a way back. */
  async thanks(name: FormName, request: Request): Promise<RenderedPage> {
    const view = viewOf(request);
    const form = await this.forms.named(name.tenantId, name.idOrSlug);
    const words = wordsOf(view, form);
    return this.textPage(name.tenantId, view, words, {
      title: words.text('thanks_title'),
      text: form.settings.thanks ?? words.text('thanks'),
      back: this.backOf(name, form, words, view, request),
    });
  }

  /** Returns the words of the form for the visitor. */
  async words({ tenantId, idOrSlug }: FormName, request: Request): Promise<Words> {
    return wordsOf(viewOf(request), await this.forms.named(tenantId, idOrSlug));
  }

  /** Returns the page about a problem: the form filled in again if its values are wrong. */
  async problem(name: FormName, problem: Problem, request: Request): Promise<RenderedPage> {
    const view = viewOf(request);
    const sent = sentFormOf(request);
    if (problem.code === 'validation_failed' && sent) {
      const form = await this.forms.named(name.tenantId, name.idOrSlug);
      const redirect = sent.parts.get(REDIRECT)?.[0];
      return this.formPage(name, form, { view, redirect, again: { sent, errors: problem.errors ?? [] } });
    }
    // The form may be the problem: then the page has the words of the service only.
    const form = this.forms.cached(name.tenantId, name.idOrSlug);
    const words = wordsOf(view, form);
    if (problem.code === 'forbidden' && form?.settings.closed) {
      return this.textPage(name.tenantId, view, words, { title: form.name, text: words.text('closed') });
    }
    const code = EXPLAINED.find((one) => one === problem.code) ?? (problem.status === 503 ? 'unavailable' : 'failed');
    return this.textPage(name.tenantId, view, words, { title: words.text(`${code}_title`), text: words.text(code) });
  }

  private formPage(
    { tenantId, idOrSlug }: FormName,
    form: CompiledForm,
    { view, redirect, again }: { view: PageView } & Pick<FormContent, 'redirect' | 'again'>,
  ): RenderedPage {
    const words = wordsOf(view, form);
    const part = this.parts.of(tenantId, form, words);
    const path = `${this.publicUrl.basePath}/v1/forms/${encodeURIComponent(tenantId)}/${encodeURIComponent(idOrSlug)}/submissions`;
    const { isEmbedded, theme } = view;
    const body = formHtml({
      form,
      words,
      action: path + queryOf(view),
      redirect: redirect && this.mayLeadTo(tenantId, form, redirect) ? redirect : undefined,
      extra: part.html,
      end: part.end ?? '',
      largestFile: this.config.mediaMaxBytes,
      isEmbedded,
      ...(again && { again }),
    });
    const allowed = this.tenants.find(tenantId)?.allowedOrigins ?? [];
    const leadsTo = [...(form.settings.redirect_origins ?? []), ...allowed.filter((origin) => origin !== '*')];
    const title = again ? words.text('error_title', { name: form.name }) : form.name;
    const framedBy = this.framedBy(tenantId, isEmbedded);
    const script = (isEmbedded || part.needsScript) && this.script;
    return renderPage({ title, words, theme, body, leadsTo, ...(framedBy && { framedBy }), ...(script && { script }) });
  }

  private textPage(
    tenantId: string,
    { isEmbedded, theme }: PageView,
    words: Words,
    { title, text, back }: { title: string; text: string; back?: { label: string; href: string } },
  ): RenderedPage {
    const link = back && `<p><a href="${escapeHtml(back.href)}">${escapeHtml(back.label)}</a></p>`;
    const body = [
      `<h1><bdi>${escapeHtml(title)}</bdi></h1>`,
      `<p class="text" dir="auto">${escapeHtml(text)}</p>`,
      ...(link === undefined ? [] : [link]),
    ].join('\n');
    const framedBy = this.framedBy(tenantId, isEmbedded);
    return renderPage({ title, words, theme, body, ...(framedBy && { framedBy, script: this.script }) });
  }

  /** Returns where the visitor came from, if that is a page that the form may lead to; otherwise the page of the form. */
  private backOf({ tenantId, idOrSlug }: FormName, form: CompiledForm, words: Words, view: PageView, request: Request) {
    const { referer = '' } = request.headers;
    const from = parseUrl(referer);
    const isOwn = from !== undefined && this.redirects.isOwn(from.origin);
    if (!view.isEmbedded && !isOwn && this.mayLeadTo(tenantId, form, referer)) {
      return { label: words.text('back'), href: new URL(referer).href };
    }
    const path = `${this.publicUrl.basePath}/f/${encodeURIComponent(tenantId)}/${encodeURIComponent(idOrSlug)}`;
    return { label: words.text('to_form'), href: path + queryOf(view) };
  }

  private get script(): string {
    return `${this.publicUrl.basePath}/f/page.js`;
  }

  private framedBy(tenantId: string, isEmbedded: boolean): readonly string[] | undefined {
    if (!isEmbedded) return undefined;
    const tenant = this.tenants.find(tenantId);
    return tenant ? (tenant.allowedOrigins ?? ['*']) : undefined;
  }

  private mayLeadTo(tenantId: string, { settings }: CompiledForm, url: string): boolean {
    return this.redirects.faultsOfUrl(tenantId, settings, url).length === 0;
  }
}

/** Returns the words for a visitor: in the language of the form if it has one. Without a form, those of the service. */
function wordsOf({ language }: PageView, form: Pick<CompiledForm, 'settings'> | undefined): Words {
  return new Words(form?.settings.language ?? language, form?.settings.texts);
}

import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../../config/config.js';
import { Problem, PROBLEMS, type ProblemCode } from '../../errors/problem.js';
import { escapeHtml } from '../../fields/escape-html.js';
import { sentFormOf } from '../../http/form-body.js';
import { PublicUrl } from '../../http/public-url.js';
import { Tenants } from '../../tenants/tenants.js';
import { type CompiledForm, FormSchemas } from '../form-schemas.js';
import { Redirects } from '../redirects.js';
import { formHtml } from './form-page.js';
import { type RenderedPage, renderPage } from './page-layout.js';
import { PageParts } from './page-parts.js';
import { faultsOfRedirect, REDIRECT } from './submitted-values.js';

/** The form that a page is about. */
export interface FormName {
  tenantId: string;
  idOrSlug: string;
}

/** What people can do about a problem. Other problems are explained by their own detail. */
const TEXTS: Partial<Record<ProblemCode, { title: string; text: string }>> = {
  not_found: { title: 'There is no such form', text: 'The form may have been deleted, or its address may be wrong.' },
  rate_limited: {
    title: 'Too many submissions',
    text: 'Too many submissions came from your network. Wait for a minute, then go back and send the form again.',
  },
  payload_too_large: {
    title: 'The form is too large',
    text: 'Go back, shorten the texts or choose smaller files, and send the form again.',
  },
  unavailable: {
    title: 'The service is not available',
    text: 'Nothing was saved. Wait for a moment, then go back and send the form again.',
  },
};

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
  async hosted(name: FormName, isEmbedded: boolean): Promise<RenderedPage> {
    if (!this.tenants.find(name.tenantId)) throw Problem.notFound('form');
    const form = await this.forms.named(name.tenantId, name.idOrSlug, 0);
    if (form.settings.closed) {
      return this.textPage(name.tenantId, isEmbedded, form.name, `This form is closed.`);
    }
    const { redirect } = form.settings;
    return this.formPage(name, form, { isEmbedded, redirect });
  }

  /** Returns the page after a submission. */
  async thanks({ tenantId, idOrSlug }: FormName, isEmbedded: boolean): Promise<RenderedPage> {
    const { settings } = await this.forms.named(tenantId, idOrSlug);
    return this.textPage(tenantId, isEmbedded, 'Thank you', settings.thanks ?? 'Your submission has arrived.');
  }

  /** Returns the page about a problem: the form filled in again if its values are wrong. */
  async problem(name: FormName, problem: Problem, request: Request): Promise<RenderedPage> {
    const isEmbedded = request.query['embed'] === '1';
    const sent = sentFormOf(request);
    if (problem.code === 'validation_failed' && sent) {
      const form = await this.forms.named(name.tenantId, name.idOrSlug);
      const redirect = sent.parts.get(REDIRECT)?.[0];
      return this.formPage(name, form, { isEmbedded, redirect, again: { sent, errors: problem.errors ?? [] } });
    }
    const { title, text } = TEXTS[problem.code] ?? { title: PROBLEMS[problem.code].title, text: problem.detail };
    return this.textPage(name.tenantId, isEmbedded, title, text);
  }

  private formPage(
    { tenantId, idOrSlug }: FormName,
    form: CompiledForm,
    { isEmbedded, redirect, again }: Pick<Parameters<typeof formHtml>[0], 'isEmbedded' | 'redirect' | 'again'>,
  ): RenderedPage {
    const part = this.parts.of(tenantId, form);
    const path = `${this.publicUrl.basePath}/v1/forms/${encodeURIComponent(tenantId)}/${encodeURIComponent(idOrSlug)}/submissions`;
    const body = formHtml({
      form,
      action: isEmbedded ? `${path}?embed=1` : path,
      redirect: redirect && this.mayLeadTo(tenantId, form, redirect) ? redirect : undefined,
      extra: part.html,
      end: part.end ?? '',
      largestFile: this.config.mediaMaxBytes,
      isEmbedded,
      ...(again && { again }),
    });
    const allowed = this.tenants.find(tenantId)?.allowedOrigins ?? [];
    const leadsTo = [...(form.settings.redirect_origins ?? []), ...allowed.filter((origin) => origin !== '*')];
    const title = again ? `Error: ${form.name}` : form.name;
    const framedBy = this.framedBy(tenantId, isEmbedded);
    const script = (isEmbedded || part.needsScript) && this.script;
    return renderPage({ title, body, leadsTo, ...(framedBy && { framedBy }), ...(script && { script }) });
  }

  private textPage(tenantId: string, isEmbedded: boolean, title: string, text: string): RenderedPage {
    const body = `<h1>${escapeHtml(title)}</h1>\n<p class="text">${escapeHtml(text)}</p>`;
    const framedBy = this.framedBy(tenantId, isEmbedded);
    return renderPage({ title, body, ...(framedBy && { framedBy, script: this.script }) });
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
    return faultsOfRedirect(url, (origin) => this.redirects.mayLeadTo(tenantId, settings, origin)).length === 0;
  }
}

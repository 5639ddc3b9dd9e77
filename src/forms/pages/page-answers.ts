import { Catch, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem } from '../../errors/problem.js';
import { ProblemFilter, sendProblem, sendProblemAs } from '../../http/problem.filter.js';
import { escapeHtml } from '../../fields/formats/escape-html.js';
import { isForm } from '../../http/bodies/form-body.js';
import { JsonText } from '../../http/http-adapter.js';
import { wantsPage } from '../../http/pages/wants-page.js';
import type { FormName } from '../form-schemas.js';
import type { SubmissionBody } from '../submissions/submission-body.js';
import { FormPages } from './form-pages.js';
import type { RenderedPage } from './page-layout.js';
import { redirectOf } from './submitted-values.js';

/** Makes pages of the answers to submissions of browsers. */
@Injectable()
export class PageAnswers {
  constructor(private readonly pages: FormPages) {}

  /** Returns the answer to a submission, of which the JSON is given. */
  async success(name: FormName, json: string, { form }: SubmissionBody, request: Request): Promise<JsonText> {
    if (!form || !wantsPage(request)) return new JsonText(json);
    const redirect = redirectOf(form);
    if (redirect === undefined) {
      const { html, headers } = await this.pages.thanks(name, request);
      return new JsonText(html, headers, 200);
    }
    const words = await this.pages.words(name, request);
    const [title, label] = [words.text('thanks_title'), words.text('continue')].map(escapeHtml);
    const link = `<a href="${escapeHtml(redirect)}">${label}</a>`;
    const page = `<html lang="${words.language}" dir="${words.direction}">\n<title>${title}</title>\n<p>${title}. ${link}</p>`;
    const text = `<!doctype html>\n${page}\n`;
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': "default-src 'none'" };
    return new JsonText(text, { ...headers, Location: redirect, 'Referrer-Policy': 'same-origin' }, 303);
  }

  /** Sends the page about a problem. */
  async problem(name: FormName, problem: Problem, request: Request, response: Response): Promise<void> {
    let page: RenderedPage | undefined;
    try {
      page = await this.pages.problem(name, problem, request);
    } catch {
      // The form cannot be read now.
    }
    if (response.headersSent || response.destroyed) return;
    if (page) sendProblemAs(response, problem, { body: page.html, headers: page.headers });
    else sendProblem(response, problem);
  }
}

/** Answers problems of a submission with a page, if the body is a form and the request wants one; else with JSON like everywhere. */
@Catch()
@Injectable()
export class SubmissionProblemFilter extends ProblemFilter {
  constructor(private readonly answers: PageAnswers) {
    super();
  }

  protected override send(request: Request, response: Response, problem: Problem): void {
    if (!this.isForPage(request)) return super.send(request, response, problem);
    const { tenant_id: tenantId = '', form_id: idOrSlug = '' } = request.params as Record<string, string>;
    void this.answers.problem({ tenantId, idOrSlug }, problem, request, response);
  }

  protected isForPage(request: Request): boolean {
    return isForm(request) && wantsPage(request);
  }
}

/** Answers problems of a page that shows a form with a page, unless the request asks for JSON only. */
@Catch()
@Injectable()
export class PageProblemFilter extends SubmissionProblemFilter {
  protected override isForPage(request: Request): boolean {
    return request.accepts(['html', 'json']) === 'html';
  }
}

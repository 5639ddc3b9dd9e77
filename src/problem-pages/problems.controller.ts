import { STATUS_CODES } from 'node:http';
import { applyDecorators, Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../access/access.js';
import { problemExample } from '../errors/problem-examples.js';
import { escapeHtml } from '../fields/escape-html.js';
import { htmlPage, PAGE_HEADERS } from '../http/html-page.js';
import { IgnoresOtherParameters } from '../http/parameters.js';
import { PROBLEM_PAGES } from './problem-pages.js';
import { PROBLEMS, Problem, type ProblemCode } from '../errors/problem.js';

const PageHeaders = applyDecorators(...Object.entries(PAGE_HEADERS).map(([name, value]) => Header(name, value)));

/** The pages that the `type` of a problem links to. */
@ApiExcludeController()
@Controller('problems')
export class ProblemsController {
  @Get(':code')
  @IgnoresOtherParameters()
  @Public()
  @PageHeaders
  page(@Param('code') code: string): string {
    if (!Object.hasOwn(PROBLEMS, code)) throw Problem.notFound('problem');
    return html(code as ProblemCode);
  }
}

/** Escapes only the example, because the other texts are constants. */
function html(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  const { meaning, remedy } = PROBLEM_PAGES[code];
  const example = JSON.stringify(problemExample(code), null, 2);
  const body = `<h1>${title}</h1>
<p><code>${status} ${code}</code></p>
<h2>What it means</h2>
<p>${meaning}</p>
<h2>How to fix it</h2>
<p>${remedy}</p>
<h2>Example</h2>
<pre>HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}
Content-Type: application/problem+json

${escapeHtml(example)}</pre>
<p><a href="../docs">The documentation of the API</a> lists the parameters, the bodies and the errors of every endpoint.</p>`;
  return htmlPage(`${title} (${code})`, body);
}

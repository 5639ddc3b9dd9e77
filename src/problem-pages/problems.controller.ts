import { STATUS_CODES } from 'node:http';
import { applyDecorators, Controller, Get, Header, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../access/access.js';
import { problemExample } from '../errors/problem-examples.js';
import { PROBLEMS, Problem, type ProblemCode } from '../errors/problem.js';
import { VALUE_ERRORS } from '../errors/value-errors.js';
import { escapeHtml } from '../fields/formats/escape-html.js';
import { htmlPage, PAGE_HEADERS } from '../http/pages/html-page.js';
import { IgnoresOtherParameters } from '../http/parameters.js';
import { PROBLEM_PAGES } from './problem-pages.js';

const PageHeaders = applyDecorators(...Object.entries(PAGE_HEADERS).map(([name, value]) => Header(name, value)));

/** The list of all problems, and the pages that the `type` of a problem links to. */
@ApiExcludeController()
@Controller('problems')
export class ProblemsController {
  @Get()
  @IgnoresOtherParameters()
  @Public()
  @PageHeaders
  index(@Req() { path }: Request): string {
    return indexPage(path.endsWith('/') ? '../' : './');
  }

  @Get(':code')
  @IgnoresOtherParameters()
  @Public()
  @PageHeaders
  page(@Param('code') code: string): string {
    if (!Object.hasOwn(PROBLEMS, code)) throw Problem.notFound('problem', 'The list of all problems is at /problems.');
    return html(code as ProblemCode);
  }
}

/** The list of all problems. `root` leads from the page to `/`: the address is served with and without a slash at its end. */
function indexPage(root: './' | '../'): string {
  const problems = Object.entries(PROBLEMS).map(
    ([code, { status }]) =>
      `<dt><a href="${root}problems/${code}"><code>${code}</code></a> (${status})</dt>\n` +
      `<dd>${PROBLEM_PAGES[code as ProblemCode].meaning}</dd>`,
  );
  const values = Object.entries(VALUE_ERRORS).map(
    ([code, meaning]) => `<dt id="${code}"><code>${code}</code></dt>\n<dd>${meaning}</dd>`,
  );
  const body = `<main>
<h1>Problems</h1>
<p>An error response is a problem (<code>application/problem+json</code>, RFC 9457). Its <code>code</code> is one of these:</p>
<dl>\n${problems.join('\n')}\n</dl>
<h2 id="errors">Invalid values</h2>
<p><code>errors</code> lists the values of a request that are not valid, each with its path, a code and a message. The code is that of a
problem or one of these:</p>
<dl>\n${values.join('\n')}\n</dl>
<p>See also the <a href="${root}guides">guides</a> and the <a href="${root}docs">API reference</a>.</p>
</main>`;
  return htmlPage('Problems', body);
}

/** Escapes only the example, because the other texts are constants. */
function html(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  const { meaning, remedy } = PROBLEM_PAGES[code];
  const example = JSON.stringify(problemExample(code), null, 2);
  const body = `<main>
<h1>${title}</h1>
<p><code>${status} ${code}</code></p>
<h2>What it means</h2>
<p>${meaning}</p>
<h2>How to fix it</h2>
<p>${remedy}</p>
<h2>Example</h2>
<pre>HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}
Content-Type: application/problem+json

${escapeHtml(example)}</pre>
<p>See also <a href="../problems">all problems</a>, the <a href="../guides">guides</a>, and the <a href="../docs">API reference</a> with
the parameters, the bodies and the errors of every endpoint.</p>
</main>`;
  return htmlPage(`${title} (${code})`, body);
}

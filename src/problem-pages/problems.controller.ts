import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../access/access.js';
import { PROBLEM_PAGES } from './problem-pages.js';
import { PROBLEMS, Problem, type ProblemCode } from '../errors/problem.js';

/** The pages that the `type` of a problem links to. */
@ApiExcludeController()
@Controller('problems')
export class ProblemsController {
  @Get(':code')
  @Public()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
  page(@Param('code') code: string): string {
    if (!Object.hasOwn(PROBLEMS, code)) throw Problem.notFound('problem');
    return html(code as ProblemCode);
  }
}

/** Escapes nothing, because all texts are constants. */
function html(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  const { meaning, remedy } = PROBLEM_PAGES[code];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} (${code})</title>
<style>body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 4rem auto; padding: 0 1rem } code { color: #555 }</style>
</head>
<body>
<h1>${title}</h1>
<p><code>${status} ${code}</code></p>
<h2>What it means</h2>
<p>${meaning}</p>
<h2>How to fix it</h2>
<p>${remedy}</p>
</body>
</html>
`;
}

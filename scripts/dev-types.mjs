/** Checks the types of the service after each change: a thread of dev.mjs, so that neither waits for the other. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** TypeScript's messages that a check has ended: with one error, or with another number. */
const CHECKED = [6193, 6194];
const FORMAT = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => ROOT, getNewLine: () => '\n' };

const host = ts.createWatchCompilerHost(
  join(ROOT, 'tsconfig.dev.json'),
  { noEmit: true, incremental: true, tsBuildInfoFile: join(ROOT, 'node_modules/.cache/dev.tsbuildinfo') },
  ts.sys,
  ts.createSemanticDiagnosticsBuilderProgram,
  (diagnostic) => say(ts.formatDiagnosticsWithColorAndContext([diagnostic], FORMAT)),
  (diagnostic, _newLine, _options, errorCount) => {
    if (!CHECKED.includes(diagnostic.code)) return;
    say(
      errorCount === 0
        ? 'The types are right.'
        : `${errorCount} ${errorCount === 1 ? 'error' : 'errors'} in the types.`,
    );
  },
);
ts.createWatchProgram(host);

function say(text) {
  parentPort.postMessage(text);
}

import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { actionOf } from '../session/action.js';
import type { Process } from '../session/process.js';
import type { Session } from '../session/session.js';

/** Adds `trivet open`. */
export function addOpen(program: Command, running: Process): void {
  program
    .command('open')
    .description('prints a link that signs in to the console once, within an hour, and opens it on a terminal')
    .option('--no-browser', 'only print it')
    .action(actionOf<{ browser: boolean }>(running, (session, _values, { browser }) => open(session, browser)));
}

async function open({ trivet, output, terminal, signal }: Session, withBrowser: boolean): Promise<void> {
  const { data } = await trivet.request('createSignInLink', { signal });
  output.line(data.url);
  output.json(data);
  if (withBrowser && terminal.stdout.isTTY && !output.isJson) openInBrowser(data.url);
}

/** Without a browser, the printed link is enough. */
function openInBrowser(url: string): void {
  const [program, ...parameters] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(program ?? '', parameters, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

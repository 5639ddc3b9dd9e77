/** The page about the command line, from its own help. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../cli/dist/trivet.js', import.meta.url));
/** They say nothing of the service. */
const LEFT_OUT = new Set(['help', 'completion']);

export function commandLinePage() {
  const sections = commandsOf([]).map((name) => {
    const inner = commandsOf([name]);
    const pages = inner.length > 0 ? inner.map((one) => [name, one]) : [[name]];
    return pages.map((words) => `## trivet ${words.join(' ')}\n\n\`\`\`text\n${helpOf(words)}\n\`\`\``).join('\n\n');
  });
  return `# The command line

\`trivet\` works on a tenant: its schema, its content and its events. It is the package \`@trivet/cli\`, which needs Node.js 20.19 or later and nothing
else. In a checkout of Trivet, \`npm run trivet -- …\` runs it on the service of this machine.

| Option     | Variable        | Meaning                             |
| ---------- | --------------- | ----------------------------------- |
| \`--url\`    | \`TRIVET_URL\`    | where the service is                |
| \`--tenant\` | \`TRIVET_TENANT\` | the ID of the tenant                |
| \`--key\`    | \`TRIVET_KEY\`    | an API key                          |
| \`--json\`   |                 | the result as JSON on the standard output, also of a failure (\`{"error": …}\`); lines of JSON from \`listen\` |

| Exit code | Meaning                                                                     |
| --------- | --------------------------------------------------------------------------- |
| 0         | done                                                                        |
| 1         | failed: the service refused it or cannot be reached, or something was left out |
| 2         | would break: stored values are in the way, or would be lost                 |
| 3         | wrong usage: an option is missing or wrong, or a file is not what it must be |

Remarks and progress are written to the standard error, colours and progress bars only on a terminal (\`NO_COLOR\` switches colours off). A
failure names the ID of its request, which the log of the service has. \`source <(trivet completion bash)\` completes commands with Tab, in zsh and fish
too.

${sections.join('\n\n')}
`;
}

/** The names of the commands below a command. */
function commandsOf(words) {
  const names = run(['complete', '--', ...words]).split('\n');
  const all = words.length > 0 ? new Set(run(['complete', '--']).split('\n')) : new Set();
  return names.filter((name) => name !== '' && !name.startsWith('-') && !LEFT_OUT.has(name) && !all.has(name));
}

/** The help without the options of every command. */
function helpOf(words) {
  const [text] = run([...words, '--help']).split('\nGlobal Options:');
  return text
    .replace(/^ {2}-h, --help .*\n/m, '')
    .replace(/^Options:\n(?=\n|$)/m, '')
    .trim();
}

function run(words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`trivet ${words.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

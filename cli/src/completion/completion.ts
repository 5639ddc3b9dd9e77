import { type Command, Argument } from 'commander';
import type { SharedOptions } from '../session/connection.js';
import type { Process } from '../session/process.js';

const BASH = `_trivet() {
  COMPREPLY=($(compgen -W "$(trivet complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _trivet trivet
`;

/** What makes a shell complete the words of the command. Without a candidate, the shell completes names of files. */
const SCRIPTS = {
  bash: BASH,
  zsh: `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${BASH}`,
  fish: `complete -c trivet -a '(trivet complete -- (commandline -opc)[2..])'\n`,
} as const;

/** Adds `trivet completion`, and the command that its scripts call. */
export function addCompletion(program: Command, { terminal }: Process): void {
  program
    .command('completion')
    .description('prints a script for tab completion: source <(trivet completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS, _options, command: Command) => {
      const { json } = command.optsWithGlobals<SharedOptions>();
      terminal.stdout.write(json ? `${JSON.stringify({ script: SCRIPTS[shell] })}\n` : SCRIPTS[shell]);
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => void terminal.stdout.write(`${candidates(program, words).join('\n')}\n`));
}

/** What may follow the words: commands of the command that they name, or its options. */
function candidates(program: Command, words: readonly string[]): string[] {
  let command = program;
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command;
  const help = command.createHelp();
  const names = help.visibleCommands(command).map((one) => one.name());
  const options = [...command.options, ...program.options].flatMap(({ long }) => long ?? []);
  return [...names, ...options, '--help'];
}

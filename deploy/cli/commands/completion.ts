import { Argument, type Command } from 'commander';
import type { AddCommand } from '../cli.js';

/** `loglane completion`: a script for a shell, made from the commands. */

type Shell = 'bash' | 'zsh' | 'fish';

export const addCompletion: AddCommand = (program, cli) => {
  program
    .command('completion')
    .description('prints the completion of a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', '\nExample:\n  source <(loglane completion bash)')
    .action(async (shell: Shell) => cli.printer().text(scripts[shell](wordsOf(program))));
};

/** The words after each command: `traffic` is followed by its verbs, `traffic paths` by its flags. */
type Words = readonly (readonly [command: string, words: readonly string[]])[];

function wordsOf(program: Command): Words {
  const global = flagsOf(program);
  const visit = (command: Command, path: readonly string[]): [string, string[]][] => [
    [
      path.join(' '),
      [
        ...command.commands.map((one) => one.name()),
        ...flagsOf(command),
        ...(command === program ? [] : global),
      ],
    ],
    ...command.commands.flatMap((one) => visit(one, [...path, one.name()])),
  ];
  return visit(program, []);
}

function flagsOf(command: Command): string[] {
  return command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]));
}

/** Names of commands and flags have letters, digits and hyphens only, so no quoting is needed. */
const scripts: Record<Shell, (words: Words) => string> = {
  bash: (words) => `_loglane() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ "$word" == -* ]] || path="\${path:+$path }$word"; done
${bodyOf(words, (all) => `COMPREPLY=($(compgen -W "${all.join(' ')}" -- "\${COMP_WORDS[COMP_CWORD]}"))`)}
}
complete -o default -F _loglane loglane
`,
  zsh: (words) => `#compdef loglane
_loglane() {
  local path="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do [[ "$word" == -* ]] || path="\${path:+$path }$word"; done
${bodyOf(words, (all) => `compadd -- ${all.join(' ')}`)}
}
compdef _loglane loglane
`,
  fish: (words) => `function __loglane_path
  string join ' ' (string match -v -- '-*' (commandline -opc)[2..-1])
end
complete -c loglane -f
${words.map(([command, all]) => `complete -c loglane -n 'test (__loglane_path) = "${command}"' -a '${all.join(' ')}'`).join('\n')}
`,
};

function bodyOf(words: Words, reply: (all: readonly string[]) => string): string {
  const cases = words.map(([command, all]) => `    "${command}") ${reply(all)} ;;`);
  return `  case "$path" in\n${cases.join('\n')}\n  esac`;
}

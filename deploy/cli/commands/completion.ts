import { Argument, type Command } from 'commander';
import type { AddCommand, Cli } from '../cli.js';
import { groupOf, verbOf } from '../table/command-names.js';

/** `loglane completion`: a script for a shell, made from the commands. */

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export const addCompletion: AddCommand = (program, cli) => {
  program
    .command('completion')
    .description('prints the completion of a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', '\nExample:\n  source <(loglane completion bash)')
    .action(async (shell: Shell) => cli.printer().text(scripts[shell](sitesOf(program, cli))));
};

/** A command and the words after it. */
interface Site {
  /** Without the program's name: `traffic paths`. */
  readonly path: string;
  /** Names of its commands, or values of its arguments. None: files. */
  readonly words: readonly string[];
  readonly flags: readonly string[];
  /** Flags that take the next word, with its values. No values: files. */
  readonly values: readonly { readonly flags: readonly string[]; readonly choices: readonly string[] }[];
}

function sitesOf(program: Command, { context }: Cli): Site[] {
  const visit = (command: Command, path: readonly string[]): Site[] => {
    const options = command === program ? command.options : [...command.options, ...program.options];
    const site = {
      path: path.join(' '),
      words: [
        ...command.commands.map((one) => one.name()),
        ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
      ],
      flags: ['--help', ...options.flatMap(({ long }) => long ?? [])],
      values: options
        .filter(({ required }) => required)
        .map(({ short, long, argChoices = [] }) => ({
          flags: [short, long].filter((flag) => typeof flag === 'string'),
          choices: argChoices,
        })),
    };
    return [site, ...command.commands.flatMap((one) => visit(one, [...path, one.name()]))];
  };
  const sites = visit(program, []);
  const [root, ...others] = sites as [Site, ...Site[]];
  const operations = new Set(context.table.operations.map((one) => `${groupOf(one)} ${verbOf(one)}`));
  const groups = new Set([...operations].map((name) => name.split(' ')[0]!));
  return [
    { ...root, words: [...root.words, 'help'] },
    ...others.map((site) => (site.path === 'schema' ? { ...site, words: [...groups] } : site)),
    { path: 'help', words: root.words, flags: [], values: [] },
    // Both are followed by the name of a command.
    ...others
      .filter(({ path }) => groups.has(path))
      .flatMap(({ path, words }) =>
        ['help', 'schema'].map((first) => ({ path: `${first} ${path}`, words, flags: [], values: [] })),
      ),
  ];
}

/** Names of commands, flags and values have letters, digits, hyphens and underscores only, so no quoting is needed. */
const scripts: Record<Shell, (sites: readonly Site[]) => string> = {
  bash: (sites) => `_loglane_reply() { COMPREPLY=($(compgen -W "$*" -- "\${COMP_WORDS[COMP_CWORD]}")); }
_loglane() {
  local path="" word before="\${COMP_WORDS[COMP_CWORD-1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${pathCase(sites)}
  done
${replyCases(sites)}
}
complete -o default -F _loglane loglane
`,
  zsh: (sites) => `#compdef loglane
_loglane_reply() { if (( $# )); then compadd -- "$@"; else _files; fi; }
_loglane() {
  local path="" word before="\${words[CURRENT-1]}" current="\${words[CURRENT]}"
  for word in "\${(@)words[2,CURRENT-1]}"; do
${pathCase(sites)}
  done
${replyCases(sites)}
}
compdef _loglane loglane
`,
  fish: (sites) => `function __loglane_reply
  if set -q argv[1]
    printf '%s\\n' $argv
  else
    __fish_complete_path (commandline -ct)
  end
end
function __loglane
  set -l path ""
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for word in $words[2..-1]
    set -l next (string trim "$path $word")
    switch "$next"
      case ${paths(sites).join(' ')}
        set path "$next"
    end
  end
  switch "$path $words[-1]"
${valueCases(sites)
  .map(
    ({ names, choices }) =>
      `    case ${names.join(' ')}\n      __loglane_reply ${choices.join(' ')}\n      return`,
  )
  .join('\n')}
  end
  switch "$path"
${sites
  .map(
    ({ path, words, flags }) =>
      `    case '${path}'\n      if string match -q -- '-*' "$current"\n        __loglane_reply ${flags.join(' ')}\n      else\n        __loglane_reply ${words.join(' ')}\n      end`,
  )
  .join('\n')}
  end
end
complete -c loglane -f -a '(__loglane)'
`,
};

const paths = (sites: readonly Site[]) =>
  sites.map(({ path }) => `'${path}'`).filter((path) => path !== "''");

/** A word that continues the path of commands. All others are flags, their values and arguments. */
function pathCase(sites: readonly Site[]): string {
  return `    case "\${path:+$path }$word" in\n      ${paths(sites).join('|')}) path="\${path:+$path }$word" ;;\n    esac`;
}

function replyCases(sites: readonly Site[]): string {
  const values = valueCases(sites).map(
    ({ names, choices }) => `    ${names.join('|')}) _loglane_reply ${choices.join(' ')}; return ;;`,
  );
  const commands = sites.map(
    ({ path, words, flags }) =>
      `    '${path}') if [[ "$current" == -* ]]; then _loglane_reply ${flags.join(' ')}; else _loglane_reply ${words.join(' ')}; fi ;;`,
  );
  return `  case "$path $before" in\n${values.join('\n')}\n  esac\n  case "$path" in\n${commands.join('\n')}\n  esac`;
}

/** Flags with the same values, each with its command. */
function valueCases(sites: readonly Site[]): { names: string[]; choices: readonly string[] }[] {
  const cases = new Map<string, { names: string[]; choices: readonly string[] }>();
  for (const { path, values } of sites)
    for (const { flags, choices } of values) {
      const same = cases.get(choices.join(' ')) ?? { names: [], choices };
      same.names.push(...flags.map((flag) => `'${path} ${flag}'`));
      cases.set(choices.join(' '), same);
    }
  return [...cases.values()];
}

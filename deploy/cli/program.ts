import { Command, Option } from 'commander';
import { createCli } from './cli.js';
import { allCommands } from './commands/all-commands.js';
import type { Context } from './context.js';
import { wholeNumber } from './table/flags.js';

/** The commander program. It never ends the process: run.ts turns its errors into exit codes. */

const EPILOGUE = `
Examples:
  loglane login --url https://loglane.example --key -   the key comes from standard input
  loglane overview --period 7d
  loglane traffic paths --hours 24 --limit 10
  loglane requests search --status 404 --all --ndjson > missing.ndjson
  loglane tail --bot Googlebot --status 5xx

Settings: LOGLANE_URL, LOGLANE_KEY and LOGLANE_WEBSITE come before the file of \`loglane login\`.
Output: a table for a terminal, JSON elsewhere.
Exit codes: 0 success, 1 failure, 2 usage, 3 not found, 4 authentication, 5 limit, 6 server, 7 condition met (watch).`;

export function createProgram(context: Context, onError: (text: string) => void): Command {
  const program = new Command('loglane')
    .description('Loglane from a shell: what crawlers and people request, and what they get.')
    .version(context.version, '-V, --version')
    .option('--website <id>', 'website (default: LOGLANE_WEBSITE, `loglane use`, or the only one)')
    .addOption(
      new Option('--json [=fields]', 'JSON; with =a,b these fields of the rows only').argParser(
        (text) => text,
      ),
    )
    .option('--ndjson', 'one row per line, as JSON')
    .option('--csv', 'rows as CSV')
    .option('--table', 'tables, also where standard output is no terminal')
    .option('--fields <list>', 'fields of the rows, comma-separated, in any form of output')
    .option('--all', 'reads all pages')
    .option('--limit <number>', 'at most so many rows', wholeNumber)
    .option('--quiet', 'no notes and no progress on standard error')
    .option('--no-color', 'no colours')
    .configureHelp({ showGlobalOptions: true, helpWidth: context.stdout.columns ?? 100 })
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: onError,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .helpCommand('help [command]', 'shows the help of a command')
    .showSuggestionAfterError()
    .addHelpText('after', EPILOGUE);
  const cli = createCli(program, context);
  for (const add of allCommands) add(program, cli);
  return program;
}

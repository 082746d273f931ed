import type { Command } from 'commander';
import { formatOptions } from '../../import/format-options.js';
import type { ImportCommand } from '../../import/run-import.js';
import type { AddCommand } from '../cli.js';
import { failure } from '../cli-error.js';

/** `loglane import FILE…`: log files of the past. */

export const addImport: AddCommand = (program, cli) => {
  const command = program
    .command('import')
    .description(
      'sends log files of the past, each content once: also compressed ones, and under other names',
    )
    .argument('<files...>', 'log files, plain or compressed with gzip, bzip2 or zstd; - is standard input');
  addIngestOptions(command)
    .option('--ledger <path>', 'record of imported content (default: DATA_DIR/imports.ndjson)')
    .option('--generation <text>', 'imports removed days again; npm run admin -- forget prints the text')
    .action(async (files: string[], options: ImportCommand) => {
      const { runImport } = await import('../../import/run-import.js');
      const { env, stdout, stderr } = cli.context;
      const isWhole = await runImport(files, options, env, { stdout, stderr });
      if (!isWhole) throw failure('not every file was imported as a whole');
    });
};

/** Destination and log format of the uploads. */
export function addIngestOptions(command: Command): Command {
  command
    .option('--url <url>', 'ingest address (default: INGEST_URL, else from the credentials file)')
    .option('--key <key>', 'ingest key (default: INGEST_KEY, else from the credentials file)')
    .option('--credentials <path>', 'credentials file (default: DATA_DIR/credentials.json)');
  for (const [name, description] of Object.entries(formatOptions))
    command.option(`--${name} <text>`, description);
  return command;
}

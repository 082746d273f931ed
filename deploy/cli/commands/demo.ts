import { InvalidArgumentError, Option } from 'commander';
import type { DemoCommand } from '../../demo/run-demo.js';
import type { AddCommand } from '../cli.js';
import { failure } from '../cli-error.js';

/** `loglane demo`: a week of a shop's traffic. The generator is a file of the server's build, so the thin package lacks it. */

const FORMATS = [
  'loglane',
  'logpush',
  'combined',
  'mixed',
] as const satisfies readonly DemoCommand['format'][];

export const addDemo: AddCommand = (program) => {
  program
    .command('demo')
    .description("sends a week of a mid-size shop's traffic, up to now, to the Loglane of this folder")
    .option('--seed <text>', 'the same seed gives the same traffic', 'loglane')
    .option('--days <number>', 'days of traffic, ending now', positive, 7)
    .option('--requests-per-day <number>', 'requests a day, on average', positive, 60_000)
    .addOption(new Option('--format <name>', 'format of the log lines').choices(FORMATS).default('mixed'))
    .option('--domain <host>', 'host name of the shop', 'example.com')
    .option('--url <url>', 'ingest address (default: from the credentials file)')
    .option('--key <key>', 'ingest key (default: from the credentials file)')
    .option('--add', 'sends it even if the website has requests in these days already')
    .option('--credentials <path>', 'credentials file (default: DATA_DIR/credentials.json)')
    .action(async (options: DemoCommand) => {
      const { runDemo } = await import('../../demo/run-demo.js').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
        throw failure("the demo is a part of the server: run it in a checkout, or in the server's image");
      });
      await runDemo(options);
    });
};

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('must be a number above 0.');
  return value;
}

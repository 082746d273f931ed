import type { AddCommand, Cli } from '../cli.js';
import { CliError, exitCodes, usageError } from '../cli-error.js';
import { createApiClient } from '../http/api-client.js';
import { readWebsites, websitesText } from '../http/read-websites.js';
import { readAll } from '../operations/body-of.js';
import { accessOf, parseUrl } from '../settings/resolve-settings.js';
import { deleteSettings, readSettings, settingsPath, writeSettings } from '../settings/settings-file.js';

/** `login`, `logout`, `whoami` and `use`: whose data the other commands read. */

export const addLogin: AddCommand = (program, cli) => {
  program
    .command('login')
    .description('stores the address and the API key of an instance, readable by you only')
    .option('--url <url>', 'address of the instance (default: LOGLANE_URL)')
    .option(
      '--key <key>',
      'API key; - reads it from standard input, so that it is in no history of a shell',
      '-',
    )
    .addHelpText('after', '\nExample:\n  loglane login --url https://loglane.example --key - < key.txt')
    .action(async (given: { url?: string; key: string }) => {
      const { context } = cli;
      const stored = await readSettings(settingsPath(context.env));
      const address = given.url ?? context.env.LOGLANE_URL ?? stored.url;
      if (address === undefined) throw usageError('--url is missing: the address of the instance');
      const url = parseUrl(address);
      const key = given.key === '-' ? await readKey(cli) : given.key;
      const { websites } = await readWebsites(createApiClient(cli.context, { url, key }));
      const website = websites.length === 1 ? websites[0]!.id : undefined;
      await writeSettings(settingsPath(context.env), { url, key, ...(website !== undefined && { website }) });
      cli.note(`signed in to ${url}, ${websitesText(websites)}; stored in ${settingsPath(context.env)}`);
      if (website === undefined && websites.length > 1) cli.note('choose one: loglane use WEBSITE');
    });

  program
    .command('logout')
    .description('deletes the stored address, key and website')
    .action(async () => {
      await deleteSettings(settingsPath(cli.context.env));
      if ((cli.context.env.LOGLANE_KEY ?? '') !== '') cli.note('LOGLANE_KEY is still set in this shell');
    });

  program
    .command('whoami')
    .description('shows the instance, the websites of the key and the calls left in this hour')
    .action(async () => {
      const settings = await cli.settings();
      const { url, key } = accessOf(settings);
      const { websites, headers } = await readWebsites(createApiClient(cli.context, { url, key }));
      await cli.printer().answer(
        {
          url,
          key: `${key.slice(0, 10)}…`,
          key_from: settings.origins.key,
          website: cli.options().website ?? settings.website,
          calls_per_hour: numberOf(headers.get('x-ratelimit-limit')),
          calls_left: numberOf(headers.get('x-ratelimit-remaining')),
          websites,
        },
        ['websites'],
      );
    });

  program
    .command('use')
    .description('stores the website that later commands are about')
    .argument('<website>', 'its id or its domain')
    .action(async (name: string) => {
      const { env } = cli.context;
      const { url } = accessOf(await cli.settings());
      const { websites } = await readWebsites(await cli.api());
      const found = websites.find(({ id, domain }) => id === name || domain === name);
      if (found === undefined)
        throw new CliError(`no website "${name}"; ${websitesText(websites)}`, exitCodes.notFound);
      const path = settingsPath(env);
      const stored = await readSettings(path);
      // Without a key in the file, the variables have the key: it stays there.
      const isSame = stored.url !== undefined && parseUrl(stored.url) === url;
      await writeSettings(path, { ...(isSame ? stored : { url }), website: found.id });
      cli.note(`using ${found.domain} (${found.id})`);
      if ((env.LOGLANE_WEBSITE ?? '') !== '')
        cli.note('LOGLANE_WEBSITE is set in this shell and comes before it');
    });
};

async function readKey({ context, note }: Cli): Promise<string> {
  const { stdin, stderr } = context;
  if (stdin.isTTY === true) note('Paste the API key (llapi_…), it is not shown:');
  const text = (
    stdin.isTTY === true
      ? await readHidden(stdin as unknown as NodeJS.ReadStream, stderr)
      : await readAll(stdin)
  ).trim();
  if (!/^[\x21-\x7e]{8,200}$/.test(text)) throw usageError('standard input contains no API key');
  return text;
}

/** In raw mode these keys are characters. */
const CTRL_C = '\u0003';
const LINE_ENDS = ['\r', '\n', '\u0004'];

/** A line of a terminal, without its echo. */
async function readHidden(
  stdin: NodeJS.ReadStream,
  stderr: { write(text: string): unknown },
): Promise<string> {
  stdin.setRawMode(true);
  try {
    let typed = '';
    for await (const character of stdin) {
      typed += String(character);
      if (typed.includes(CTRL_C)) throw new CliError('interrupted', exitCodes.failure);
      if (LINE_ENDS.some((end) => typed.includes(end))) break;
    }
    stderr.write('\n');
    return LINE_ENDS.reduce((text, end) => text.split(end)[0]!, typed);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}

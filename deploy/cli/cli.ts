import type { Command } from 'commander';
import { visibleLine } from '../../shared/visible-text.js';
import { CliError, exitCodes, usageError } from './cli-error.js';
import type { Context } from './context.js';
import { type ApiClient, createApiClient } from './http/api-client.js';
import { readWebsites, websitesText } from './http/read-websites.js';
import { type GlobalOptions, type Style, styleOf } from './output/formats.js';
import { createPrinter, type Printer } from './output/printer.js';
import { accessOf, resolveSettings, type Settings } from './settings/resolve-settings.js';
import { readSettings, settingsPath } from './settings/settings-file.js';

/** Shared by commands: the options of all commands, the settings, the API and the output. */
export interface Cli {
  readonly context: Context;
  readonly options: () => GlobalOptions;
  readonly style: () => Style;
  /** @param allRows whether tables show all rows, as with --all */
  readonly printer: (allRows?: boolean) => Printer;
  readonly settings: () => Promise<Settings>;
  /** @throws CliError if no instance or key is set. */
  readonly api: () => Promise<ApiClient>;
  /** Id of the website that a command is about. */
  readonly website: () => Promise<string>;
  /** Prints a line on standard error, unless --quiet. */
  readonly note: (text: string) => void;
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, cli: Cli) => void;

export function createCli(program: Command, context: Context): Cli {
  const options = () => program.opts<GlobalOptions>();
  const style = () => styleOf(options(), context);
  const note = (text: string) => {
    if (options().quiet !== true) context.stderr.write(`${visibleLine(text)}\n`);
  };
  const settings = async () => resolveSettings(context.env, await readSettings(settingsPath(context.env)));
  const api = async () => createApiClient(context, accessOf(await settings()));

  return {
    context,
    options,
    style,
    note,
    settings,
    api,
    printer: (allRows = options().all === true) =>
      createPrinter({
        stdout: context.stdout,
        style: style(),
        limit: options().limit ?? null,
        all: allRows,
        note,
      }),
    async website() {
      const website = options().website ?? (await settings()).website;
      return website ?? (await onlyWebsite(await api()));
    },
  };
}

/** @throws CliError if the key reaches several websites, or none. */
async function onlyWebsite(api: ApiClient): Promise<string> {
  const { websites } = await readWebsites(api);
  const [first] = websites;
  if (first === undefined)
    throw new CliError('the organisation of this key has no website', exitCodes.notFound);
  if (websites.length > 1)
    throw usageError(
      `several websites: give --website ID, or run \`loglane use ID\`; ${websitesText(websites)}`,
    );
  return first.id;
}

import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { AddCommand, Cli } from '../cli.js';
import { findSegment } from '../http/find-segment.js';
import { bodyOf } from '../operations/body-of.js';
import { PERIOD_HELP, periodQuery } from '../operations/period.js';
import { showReply } from '../operations/show-reply.js';
import { fieldOf } from '../output/rows.js';
import { groupOf, verbOf } from '../table/command-names.js';
import { attributeOf, flagOf } from '../table/flags.js';
import type { CliOperation, Parameter } from '../table/operation-table.js';

/** A command for every operation of the API: `loglane <group> <verb>`. */

const WEBSITE = 'website_id';
const KEY = 'Idempotency-Key';

export const addOperations: AddCommand = (program, cli) => {
  const groups = new Map<string, Command>();
  for (const operation of cli.context.table.operations) {
    const name = groupOf(operation);
    const group = groups.get(name) ?? program.command(name).helpGroup('Operations of the API:');
    groups.set(name, group);
    addOperation(group, operation, cli);
  }
  for (const group of groups.values())
    group.helpCommand(false).description(group.commands.map((command) => command.name()).join(', '));
};

function addOperation(group: Command, operation: CliOperation, cli: Cli): void {
  const command = group
    .command(verbOf(operation))
    .summary(operation.summary)
    .description(
      `${operation.summary}.\n\n${operation.description}\n\n${operation.method} ${operation.path}`,
    );
  const places = operation.parameters.filter((one) => one.in === 'path' && one.name !== WEBSITE);
  for (const place of places) command.argument(`<${flagOf(place)}>`, place.description);
  const options = operation.parameters.filter((one) => one.in !== 'path' && !isGlobal(one));
  for (const parameter of options) for (const option of optionsOf(parameter)) command.addOption(option);
  if (hasWindow(operation)) command.option('--period <text>', PERIOD_HELP);
  if (operation.hasBody)
    command.option('--input <file>', 'JSON of the body; - is standard input. Flags come before it');
  command.action(async (...given: unknown[]) => {
    const flags = given[places.length] as Readonly<Record<string, unknown>>;
    const query = queryOf(operation, flags, cli);
    const segment = query.get('segment');
    if (segment !== null)
      query.set('segment', await findSegment(await cli.api(), await cli.website(), segment));
    const path = await pathOf(operation, given.slice(0, places.length) as string[], cli);
    const body = operation.hasBody ? await bodyOf(operation, flags, cli.context) : undefined;
    const key = fieldOf(flags, attributeOf(KEY)) ?? randomUUID();
    const takesKey = operation.parameters.some(({ name }) => name === KEY);
    await showReply(cli, operation, {
      method: operation.method,
      path,
      query,
      body,
      ...(takesKey && { headers: { 'idempotency-key': String(key) } }),
    });
  });
}

/** A limit is an option of all commands. */
function isGlobal({ name, in: place }: Parameter): boolean {
  return place === 'query' && name === 'limit';
}

function optionsOf(parameter: Parameter): Option[] {
  const flag = flagOf(parameter);
  const { kind, choices, minimum, maximum, required } = parameter;
  const range =
    minimum !== undefined && maximum !== undefined && kind === 'integer' ? ` (${minimum} to ${maximum})` : '';
  const standard =
    parameter.default === undefined || kind === 'boolean' ? '' : ` Default: ${parameter.default}.`;
  const text = `${parameter.description}${range}${standard}${required ? ' Required.' : ''}`.trim();
  if (kind === 'boolean')
    return [new Option(`--${flag}`, text), new Option(`--no-${flag}`, `the opposite of --${flag}`)];
  if (kind === 'list') return [new Option(`--${flag} <text...>`, text)];
  const option = new Option(`--${flag} <${kind === 'string' ? 'text' : kind}>`, text);
  return [choices === undefined || choices.length === 0 ? option : option.choices(choices)];
}

function hasWindow({ parameters }: CliOperation): boolean {
  return ['hours', 'start', 'end'].every((name) =>
    parameters.some((one) => one.in === 'query' && one.name === name),
  );
}

function queryOf(
  operation: CliOperation,
  flags: Readonly<Record<string, unknown>>,
  cli: Cli,
): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name, in: place, maximum } of operation.parameters) {
    if (place !== 'query') continue;
    const { limit, all } = cli.options();
    // A larger limit than one answer allows bounds the rows of all pages.
    const given =
      name === 'limit'
        ? all
          ? undefined
          : limit && Math.min(limit, maximum ?? limit)
        : fieldOf(flags, attributeOf(name));
    if (given !== undefined) query.set(name, String(given));
  }
  if (typeof flags.period === 'string')
    for (const [name, value] of periodQuery(flags.period, cli.context.now())) query.set(name, value);
  return query;
}

async function pathOf({ path }: CliOperation, given: readonly string[], cli: Cli): Promise<string> {
  const website = path.includes(`{${WEBSITE}}`) ? await cli.website() : '';
  const rest = [...given];
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === WEBSITE ? website : rest.shift()!),
  );
}

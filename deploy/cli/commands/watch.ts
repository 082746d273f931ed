import { InvalidArgumentError } from 'commander';
import type { AddCommand, Cli } from '../cli.js';
import { CliError, exitCodes, usageError } from '../cli-error.js';
import { periodQuery } from '../operations/period.js';
import { fieldOf, isRow, listsIn } from '../output/rows.js';

/** `loglane watch`: whether a figure is over a bound, for a pipeline. */

export const addWatch: AddCommand = (program, cli) => {
  program
    .command('watch')
    .description('ends with code 7 if incidents are open, or if a figure of the summary is over a bound')
    .argument(
      '<what>',
      'incidents, the type of an alert (error_spike_5xx), or a figure of `traffic summary` (error_rate_5xx_pct)',
    )
    .option('--fail-over <number>', 'the bound (default for incidents: 0)', bound)
    .option('--period <text>', 'window of the figure', '1h')
    .addHelpText('after', '\nExample:\n  loglane watch error_rate_5xx_pct --fail-over 1 --period 1h')
    .action(async (what: string, { failOver, period }: { failOver?: number; period: string }) => {
      const figure = await figureOf(cli, what, period);
      if (figure.isMetric && failOver === undefined) throw usageError('--fail-over is missing');
      const limit = failOver ?? 0;
      const over = figure.value > limit;
      await cli.printer().answer({ watched: what, value: figure.value, fail_over: limit, over });
      if (over) throw new CliError(`${what} is ${figure.value}, over ${limit}`, exitCodes.conditionMet);
    });
};

async function figureOf(
  cli: Cli,
  what: string,
  period: string,
): Promise<{ value: number; isMetric: boolean }> {
  const api = await cli.api();
  const base = `/public/v1/websites/${encodeURIComponent(await cli.website())}`;
  const fields = summaryFields(cli);
  if (!fields.has(what)) {
    refuseUnknown(cli, what, fields);
    return { value: await openIncidents(), isMetric: false };
  }
  const query = new URLSearchParams(periodQuery(period, cli.context.now()));
  const { json } = await api.call({ method: 'GET', path: `${base}/summary`, query });
  const value = isRow(json) ? (fieldOf(json, what) ?? null) : null;
  // Without traffic there is no rate.
  if (value === null) return { value: 0, isMetric: true };
  if (typeof value !== 'number') throw usageError(`${what} is no number of the summary`);
  return { value, isMetric: true };

  async function openIncidents(): Promise<number> {
    const asked = new URLSearchParams({ view: 'incidents', acknowledged: 'false', limit: '500' });
    if (what !== 'incidents') asked.set('type', what);
    const { json: answer } = await api.call({ method: 'GET', path: `${base}/alerts`, query: asked });
    const [list] = isRow(answer) ? listsIn(answer, ['incidents']) : [];
    return (list?.[1] ?? []).filter(({ status }) => status === 'active').length;
  }
}

/** @throws CliError if it is neither incidents nor the type of an alert */
function refuseUnknown(cli: Cli, what: string, figures: ReadonlySet<string>): void {
  const types = cli.context.table.operations
    .find(({ id }) => id === 'listAlerts')
    ?.parameters.find(({ name }) => name === 'type')?.choices;
  if (what === 'incidents' || types === undefined || types.includes(what)) return;
  throw usageError(
    `"${what.slice(0, 100)}" can't be watched; expected incidents, the type of an alert (${types.join(', ')}), or a figure of \`traffic summary\` (${[...figures].join(', ')})`,
  );
}

/** Names of the summary's figures, from its schema. */
function summaryFields(cli: Cli): ReadonlySet<string> {
  const { operations, schemas } = cli.context.table;
  const answer = operations.find(({ id }) => id === 'getSummary')?.answer;
  const name = isRow(answer)
    ? String(answer.$ref ?? '')
        .split('/')
        .at(-1)!
    : '';
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : answer;
  const fields = Object.entries(isRow(schema) && isRow(schema.properties) ? schema.properties : {});
  return new Set(fields.filter(([, field]) => isNumber(field)).map(([field]) => field));
}

function isNumber(schema: unknown): boolean {
  const types = isRow(schema) ? [schema.type].flat() : [];
  return types.includes('integer') || types.includes('number');
}

function bound(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('must be a number.');
  return value;
}

import { stat } from 'node:fs/promises';
import type { AddCommand, Cli } from '../cli.js';
import { CliError, exitCodes } from '../cli-error.js';
import { isRow, type Row } from '../output/rows.js';
import { accessOf } from '../settings/resolve-settings.js';
import { settingsPath } from '../settings/settings-file.js';

/** `loglane doctor`: whether the settings work, and whether logs arrive. */

const MOST_SKEW_MS = 5_000;

interface Finding {
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly detail: string;
}

export const addDoctor: AddCommand = (program, cli) => {
  program
    .command('doctor')
    .description('checks the settings, the key, the website, the arrival of logs and the clock')
    .action(async () => {
      const findings = await examine(cli);
      await cli.printer().answer({ findings }, ['findings']);
      const failed = findings.filter(({ verdict }) => verdict === 'fail');
      if (failed.length > 0)
        throw new CliError(`${failed.length} of ${findings.length} checks failed`, exitCodes.failure);
    });
};

async function examine(cli: Cli): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (check: string, verdict: Finding['verdict'], detail: string) =>
    findings.push({ check, verdict, detail });
  const { context } = cli;
  add('versions', 'ok', `loglane ${context.version}, Node ${process.versions.node}`);
  const settings = await cli.settings();
  const mode = (await stat(settingsPath(context.env)).catch(() => null))?.mode;
  if (mode !== undefined)
    add(
      'settings file',
      (mode & 0o077) === 0 ? 'ok' : 'warn',
      `${settingsPath(context.env)}, mode ${(mode & 0o777).toString(8)}`,
    );
  let url: string;
  try {
    ({ url } = accessOf(settings));
  } catch (error) {
    add('settings', 'fail', (error as Error).message);
    return findings;
  }
  add('settings', 'ok', `${url}, key from the ${settings.origins.key}`);
  const api = await cli.api();
  try {
    const { headers } = await api.call({ method: 'GET', path: '/public/v1/websites' });
    add(
      'key',
      'ok',
      `valid; ${headers.get('x-ratelimit-remaining')} of ${headers.get('x-ratelimit-limit')} calls of this hour are left`,
    );
    const skew = context.now() - Date.parse(headers.get('date') ?? '');
    if (!Number.isNaN(skew))
      add(
        'clock',
        Math.abs(skew) > MOST_SKEW_MS ? 'warn' : 'ok',
        `${Math.round(skew / 1_000)} s from the clock of the instance`,
      );
  } catch (error) {
    const isKey = error instanceof CliError && error.exitCode === exitCodes.authentication;
    add(isKey ? 'key' : 'instance', 'fail', (error as Error).message);
    return findings;
  }
  await examinePlan(cli, add);
  await examineWebsite(cli, add);
  return findings;
}

type Add = (check: string, verdict: Finding['verdict'], detail: string) => void;

async function examinePlan(cli: Cli, add: Add): Promise<void> {
  try {
    const { json } = await (await cli.api()).call({ method: 'GET', path: '/public/v1/billing' });
    if (isRow(json))
      add(
        'plan',
        'ok',
        `${json.plan_name}${json.subscription_status ? `, ${json.subscription_status}` : ''}`,
      );
  } catch (error) {
    add('plan', 'warn', (error as Error).message);
  }
}

async function examineWebsite(cli: Cli, add: Add): Promise<void> {
  try {
    const website = await cli.website();
    const path = `/public/v1/websites/${encodeURIComponent(website)}/setup`;
    const { json } = await (await cli.api()).call({ method: 'GET', path });
    const setup: Row = isRow(json) ? json : {};
    add('website', 'ok', `${setup.domain} (${website})`);
    const steps = Array.isArray(setup.next_steps) ? setup.next_steps.slice(0, 2).map(String) : [];
    if (setup.receiving === true) add('logs', 'ok', 'lines arrive');
    else add('logs', 'warn', ['no lines arrive', ...steps].join('; '));
  } catch (error) {
    add('website', 'fail', (error as Error).message);
  }
}

import type { Command } from 'commander';
import { z } from 'zod';
import { rankOf, severities } from '../../shared/alerts/alert.js';
import {
  type AlertSettings,
  alertSettingsSchema,
  defaultAlertSettings,
} from '../../shared/alerts/settings.js';
import { alertSettingNames } from '../../shared/control/aggregates/alert-settings.js';
import { textOfFetchError } from '../../shared/fetch/fetch-error.js';
import { isFetchable, isLocalHost } from '../../shared/fetch/fetchable-url.js';
import { isUrl } from '../../shared/urls/is-url.js';
import type { CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';
import { renderTable } from './instance/render.js';
import { addNotifications } from './notifications.js';

/** `alerts config`: the alert settings of a website. The public API only reads them. */
export function addAlerts(program: Command, context: CommandContext): void {
  const alerts = program
    .command('alerts')
    .description('configures alerts of websites and their notifications');
  addNotifications(alerts, context);
  alerts
    .command('config')
    .description('shows the alert settings of a website, or changes the named ones')
    .requiredOption('--website <website>', 'id')
    .option(
      '--set <name=value...>',
      'true or false, a number, a severity (info, warning, critical), or a list. Separate entries by commas, or write JSON if an entry contains a comma. No entries after = empty the list',
    )
    .action(async ({ website: websiteId, set = [] }: { website: string; set?: string[] }) => {
      const settings = await (set.length === 0
        ? context.answer<AlertSettings>(`/alert-settings?website=${encodeURIComponent(websiteId)}`)
        : context.run({ type: 'changeAlertSettings', websiteId, ...readSettings(set) }));
      const rowOf = (name: keyof AlertSettings) => ({
        ...{ setting: name, value: settings[name], default: defaultAlertSettings[name] },
      });
      context.show(settings, () => renderTable(alertSettingNames.map(rowOf)));
    });
}

/** Parses `name=value` by type; the instance checks the bounds. @throws AdminError that names the setting. */
function readSettings(assignments: readonly string[]): Record<string, unknown> {
  const settings = new Map<string, unknown>();
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    const name = at === -1 ? assignment : assignment.slice(0, at);
    const known = alertSettingNames.find((each) => each === name);
    if (known === undefined)
      throw new AdminError(
        `${name}: there is no such setting; expected one of ${alertSettingNames.join(', ')}`,
      );
    if (at === -1) throw new AdminError(`${name}: expected ${name}=value`);
    if (settings.has(name)) throw new AdminError(`${name}: is set twice`);
    settings.set(name, readValue(known, assignment.slice(at + 1)));
  }
  refuseUnreachable(settings.get('webhook_urls'));
  return Object.fromEntries(settings);
}

/**
 * Refuses webhooks that can never be reached when they are set, before the first alert is lost. The instance refuses texts that are not URLs.
 * @throws AdminError that names only the host, since the rest of the URL may be a secret
 */
function refuseUnreachable(urls: unknown): void {
  if (!Array.isArray(urls)) return;
  for (const [index, text] of urls.entries()) {
    const url = typeof text === 'string' && isUrl(text) ? new URL(text) : null;
    if (url === null) continue;
    const code = isFetchable(url) ? (isLocalHost(url.hostname) ? 'blocked_address' : null) : 'invalid_url';
    if (code !== null)
      throw new AdminError(`webhook_urls.${index}: ${url.hostname || 'the URL'} ${textOfFetchError(code)}`);
  }
}

function readValue(name: keyof AlertSettings, text: string): unknown {
  const schema = alertSettingsSchema.shape[name];
  if (schema instanceof z.ZodArray) return readList(name, text);
  if (schema instanceof z.ZodBoolean) {
    if (text !== 'true' && text !== 'false')
      throw new AdminError(`${name}: expected true or false, got "${text}"`);
    return text === 'true';
  }
  if (name.endsWith('_severity')) {
    const severity = severities.find((each, place) => each === text || String(place + 1) === text);
    if (severity === undefined)
      throw new AdminError(`${name}: expected ${severities.join(', ')}, or 1 to 3, got "${text}"`);
    return rankOf(severity);
  }
  if (!/^-?\d{1,15}$/.test(text)) throw new AdminError(`${name}: expected a whole number, got "${text}"`);
  return Number(text);
}

function readList(name: string, text: string): unknown {
  if (!text.startsWith('['))
    return text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  try {
    return JSON.parse(text);
  } catch {
    throw new AdminError(`${name}: expected a list as JSON, got "${text}"`);
  }
}

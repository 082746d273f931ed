import { z } from 'zod';
import { type AlertSettings, alertSettingsSchema, defaultAlertSettings } from '../../alerts/settings.js';
import { commandKind } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { ControlState } from '../domain/state.js';
import { activeSuppressions } from './suppression.js';
import { unknownWebsite } from './website.js';

/** Alert settings of a website that differ from the defaults (spec §2.4). */

const { shape } = alertSettingsSchema;
export const alertSettingNames = Object.keys(shape) as (keyof AlertSettings)[];

/**
 * Accepts any kind of value, so that values of a later release stay readable. {@link alertSettingsOf} validates them.
 */
const storedValue = z.union([z.boolean(), z.number(), z.array(z.string())]);

export const alertSettingsChanged = eventKind({
  aggregate: 'alert_settings',
  type: 'alert_settings.changed',
  schema: z.object({ websiteId: z.string(), settings: z.record(z.string(), storedValue) }),
  evolve(state, id, { websiteId, settings }) {
    const before = state.alertSettings.get(id)?.settings;
    state.alertSettings.put({ id, websiteId, settings: { ...before, ...settings } });
  },
});

/** Changes only the given settings. */
export const changeAlertSettings = commandKind({
  schema: z.strictObject({ websiteId: z.string(), ...alertSettingsSchema.partial().shape }),
  decide(state, { websiteId, ...given }) {
    if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
    const names = changedSettings(state, websiteId, given);
    const settings = Object.fromEntries(names.map((name) => [name, given[name]!]));
    return {
      events:
        names.length === 0
          ? []
          : [nextEvent(state, alertSettingsChanged, websiteId, { websiteId, settings })],
      answer: (after): AlertSettings => alertSettingsOf(after, websiteId),
    };
  },
});

/** The website's settings. A setting that was never changed, or whose value is now invalid, has its default. */
export function alertSettingsOf(state: ControlState, websiteId: string): AlertSettings {
  const set = state.alertSettings.get(websiteId)?.settings;
  if (set === undefined) return defaultAlertSettings;
  const valid = alertSettingNames.flatMap((name) => {
    const value = shape[name].safeParse(set[name]);
    return value.success ? [[name, value.data]] : [];
  });
  return { ...defaultAlertSettings, ...Object.fromEntries(valid) };
}

/**
 * Names of the crawlers and bots, in lower case, for which crawler and bot rules do not alert. They are those of the
 * settings, and those suppressed through the API (spec §3.5). @param now milliseconds since the epoch
 */
export function suppressedNamesOf(state: ControlState, websiteId: string, now: number): ReadonlySet<string> {
  return new Set(suppressedSince(state, websiteId, now).keys());
}

/** These names with the start of their suppression, milliseconds since the epoch; 0 for those of the settings. */
export function suppressedSince(
  state: ControlState,
  websiteId: string,
  now: number,
): ReadonlyMap<string, number> {
  const { suppressed_crawlers, suppressed_bots } = alertSettingsOf(state, websiteId);
  return new Map([
    ...activeSuppressions(state, websiteId, now).map(
      ({ crawler, createdAt }) => [crawler.toLowerCase(), Date.parse(createdAt)] as const,
    ),
    ...[...suppressed_crawlers, ...suppressed_bots].map((name) => [name.toLowerCase(), 0] as const),
  ]);
}

/** Names of the given settings whose value is another one than now. */
export function changedSettings(
  state: ControlState,
  websiteId: string,
  given: { readonly [Name in keyof AlertSettings]?: AlertSettings[Name] | undefined },
): (keyof AlertSettings)[] {
  const present = alertSettingsOf(state, websiteId);
  return alertSettingNames.filter((name) => given[name] !== undefined && !isSame(given[name], present[name]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

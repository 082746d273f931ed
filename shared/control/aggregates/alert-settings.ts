import { z } from 'zod';
import { type AlertSettings, alertSettingsSchema, defaultAlertSettings } from '../../alerts/settings.js';
import { commandKind } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { ControlState } from '../domain/state.js';
import { activeSuppressions } from './suppression.js';
import { unknownWebsite } from './website.js';

/** What a website is alerted of and by which channels, where the operator set something else than the defaults (spec §2.4). */

const { shape } = alertSettingsSchema;
export const alertSettingNames = Object.keys(shape) as (keyof AlertSettings)[];

/** Values of any kind: what a later release bounds otherwise must stay readable. {@link alertSettingsOf} holds them to the schema. */
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

/** Only the settings that are named are changed. */
export const changeAlertSettings = commandKind({
  schema: z.strictObject({ websiteId: z.string(), ...alertSettingsSchema.partial().shape }),
  decide(state, { websiteId, ...given }) {
    if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
    const held = alertSettingsOf(state, websiteId);
    const settings: Record<string, z.output<typeof storedValue>> = {};
    for (const name of alertSettingNames) {
      const value = given[name];
      if (value !== undefined && !isSame(value, held[name])) settings[name] = value;
    }
    return {
      events:
        Object.keys(settings).length === 0
          ? []
          : [nextEvent(state, alertSettingsChanged, websiteId, { websiteId, settings })],
      answer: (after): AlertSettings => alertSettingsOf(after, websiteId),
    };
  },
});

/** What counts for the website: what was set, and the default for the rest and for what no longer is a value that may be set. */
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
 * Names of the crawlers and bots that no rule of crawlers or bots alerts of at `now` (milliseconds since the epoch), in lower
 * case: those of the settings, and those that were suppressed through the API (spec §3.5).
 */
export function suppressedNamesOf(state: ControlState, websiteId: string, now: number): ReadonlySet<string> {
  return new Set(suppressedSince(state, websiteId, now).keys());
}

/** Of each of these names since when, milliseconds since the epoch; those of the settings since ever. */
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

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

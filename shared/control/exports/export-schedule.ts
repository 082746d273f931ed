import { z } from 'zod';
import { DAY_MS } from '../../durations.js';
import { unknownWebsite } from '../aggregates/website.js';
import { commandKind, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { ExportSchedule } from '../domain/model.js';
import { fileFormats } from './file-format.js';

/** Stores each finished UTC day of a website as a file, which does not expire (services/jobs/days). */

const DATE = /^\d{4}-\d\d-\d\d$/;

export const exportScheduleSet = eventKind({
  aggregate: 'export_schedule',
  type: 'export_schedule.set',
  schema: z.object({ websiteId: z.string(), format: z.string(), from: z.string() }),
  evolve(state, id, { format, from }, at) {
    const createdAt = state.exportSchedules.get(id)?.createdAt ?? at;
    state.exportSchedules.put({ id, format, from, createdAt });
  },
});

export const exportScheduleRemoved = eventKind({
  aggregate: 'export_schedule',
  type: 'export_schedule.removed',
  schema: z.object({ websiteId: z.string() }),
  evolve(state, id) {
    state.exportSchedules.remove(id);
  },
});

/** A website has one schedule; another one replaces it. */
export const scheduleExport = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    format: z.enum(fileFormats).default('parquet'),
    /** First day; default: that of the present schedule, else yesterday. */
    from: z.string().regex(DATE, 'expected a day such as 2026-11-21').optional(),
  }),
  decide(state, { websiteId, format, from }, { now }) {
    if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
    if (from !== undefined && !isDay(from)) return refuse('invalid_request', 'from: there is no such day');
    const held = state.exportSchedules.get(websiteId);
    const wanted = { websiteId, format, from: from ?? held?.from ?? dayOf(now - DAY_MS) };
    const isSame = held !== undefined && held.format === wanted.format && held.from === wanted.from;
    return {
      events: isSame ? [] : [nextEvent(state, exportScheduleSet, websiteId, wanted)],
      answer: (after): ExportSchedule => after.exportSchedules.get(websiteId)!,
    };
  },
});

/** Stores no further days; existing files stay. */
export const unscheduleExport = commandKind({
  schema: z.strictObject({ websiteId: z.string() }),
  decide(state, { websiteId }) {
    const held = state.exportSchedules.get(websiteId);
    if (held === undefined)
      return refuse('not_found', `website_id: no schedule of exports is set for "${websiteId}"`);
    return {
      events: [nextEvent(state, exportScheduleRemoved, websiteId, { websiteId })],
      answer: (): ExportSchedule => held,
    };
  },
});

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(at) && dayOf(at) === text;
}

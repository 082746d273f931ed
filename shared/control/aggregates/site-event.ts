import { z } from 'zod';
import { isStorableDay, OUTSIDE_DAYS } from '../../store/column-bounds.js';
import { commandKind } from '../domain/command.js';
import { type ControlEvent, eventKind, loneEvent } from '../domain/event.js';
import { unknownWebsite } from './website.js';

/** The timeline of a website (spec §2.9, §6). It is not in the state, but in the projection in ClickHouse. */

const fields = z.object({
  organisationId: z.string(),
  /** null: it concerns every website of the organisation. */
  websiteId: z.string().nullable(),
  date: z.string(),
  time: z.string().nullable(),
  title: z.string(),
  category: z.string().nullable(),
  description: z.string().nullable(),
  /** Name of a key with its last four characters, shown to people. */
  createdBy: z.string(),
  /** Recorded by a write through the API; such an entry cannot be deleted. */
  automatic: z.boolean(),
  /** Set if the whole entry was erased, not only the texts of its author (erasure/erase-decision.ts). */
  erased: z.literal(true).optional(),
});

export const siteEventRecorded = eventKind({
  aggregate: 'site_event',
  type: 'site_event.recorded',
  schema: fields,
  evolve() {},
});

export const siteEventDeleted = eventKind({
  aggregate: 'site_event',
  type: 'site_event.deleted',
  schema: z.object({ organisationId: z.string(), websiteId: z.string().nullable() }),
  evolve() {},
});

export interface SiteEvent extends z.output<typeof fields> {
  readonly id: string;
  readonly createdAt: string;
}

/** The entry for a write through the API. @param now milliseconds since the epoch. */
export function automaticSiteEvent(
  id: string,
  entry: Pick<SiteEvent, 'organisationId' | 'websiteId' | 'title' | 'createdBy' | 'description'>,
  now: number,
): ControlEvent {
  const at = new Date(now).toISOString();
  return recorded(id, {
    ...entry,
    date: at.slice(0, 10),
    time: at.slice(11, 16),
    category: 'api',
    automatic: true,
  });
}

function recorded(id: string, data: z.input<typeof fields>): ControlEvent {
  return loneEvent(siteEventRecorded, `sev_${id}`, data);
}

export const recordSiteEvent = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    date: z.iso.date().refine(isStorableDay, OUTSIDE_DAYS),
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
      .nullable()
      .default(null),
    title: z.string().trim().min(1).max(200),
    category: z.string().trim().min(1).max(60).nullable().default(null),
    description: z.string().trim().max(2000).nullable().default(null),
    createdBy: z.string(),
  }),
  decide(state, input, { now, generated }) {
    const website = state.websites.get(input.websiteId);
    if (website === undefined) return unknownWebsite(input.websiteId);
    const data = { ...input, organisationId: website.organisationId, automatic: false };
    const event = recorded(generated.id, data);
    return {
      events: [event],
      answer: (): SiteEvent => ({ ...data, id: event.aggregateId, createdAt: new Date(now).toISOString() }),
    };
  },
});

/** The caller has checked in the projection that the entry exists and may be deleted. */
export const deleteSiteEvent = commandKind({
  schema: z.strictObject({ websiteId: z.string(), eventId: z.string() }),
  decide(state, { websiteId, eventId }) {
    const website = state.websites.get(websiteId);
    if (website === undefined) return unknownWebsite(websiteId);
    const data = { organisationId: website.organisationId, websiteId };
    return {
      events: [loneEvent(siteEventDeleted, eventId, data)],
      answer: (): { eventId: string } => ({ eventId }),
    };
  },
});

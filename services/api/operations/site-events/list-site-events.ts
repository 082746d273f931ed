import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../../shared/errors.js';
import { isStorableDay, OUTSIDE_DAYS } from '../../../../shared/store/column-bounds.js';
import { websiteRead } from '../../operation/operation.js';
import { siteEvent, TAG, toSiteEvent } from './site-event.js';
import { listSiteEvents as readSiteEvents } from './site-event-rows.js';

/** Far more than a person reads at once; dates narrow the list. */
const MAX_EVENTS = 5_000;

const date = (description: string) =>
  z.iso.date('a date as YYYY-MM-DD').refine(isStorableDay, OUTSIDE_DAYS).optional().openapi({ description });

export const listSiteEvents = websiteRead({
  id: 'listSiteEvents',
  tag: TAG,
  path: '/site-events',
  summary: 'List the timeline of the website',
  description: `Events of the website, newest first, at most ${MAX_EVENTS}: entries made by createSiteEvent, and one for every write through the API, with the name of the key. Writes that affect the whole organisation are on the timeline of each of its websites.`,
  plans: 'starter',
  query: z.object({
    start_date: date('First day, YYYY-MM-DD. Used only together with end_date.'),
    end_date: date('Last day, YYYY-MM-DD.'),
  }),
  answer: z.object({ events: z.array(siteEvent) }),
  async run({ start_date, end_date }, { caller, website, services }) {
    const dates =
      start_date === undefined || end_date === undefined ? null : { start: start_date, end: end_date };
    if (dates !== null && dates.start > dates.end)
      throw new PublicError('invalid_request', 'start_date: must not be after end_date');
    const timeline = { organisationId: caller.organisation.id, websiteId: website.id };
    const rows = await readSiteEvents(services.reader, timeline, { dates, limit: MAX_EVENTS });
    return { events: rows.map((row) => toSiteEvent(website.id, row)) };
  },
});

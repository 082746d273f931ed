import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../../shared/errors.js';
import { websiteWrite } from '../../operation/operation.js';
import { NO_SUCH_EVENT, TAG } from './site-event.js';
import { findSiteEvent } from './site-event-rows.js';

const AUTOMATIC = 'A write through the API made this entry; it is an audit record and can not be deleted.';

export const deleteSiteEvent = websiteWrite('delete', {
  id: 'deleteSiteEvent',
  tag: TAG,
  path: '/site-events/{event_id}',
  summary: 'Delete an entry of the timeline',
  description: 'Only entries made by createSiteEvent can be deleted.',
  plans: 'starter',
  missing: NO_SUCH_EVENT,
  conflict: AUTOMATIC,
  pathParameters: z.object({
    event_id: z
      .string()
      .max(100)
      .openapi({ description: 'Id from the timeline.', example: 'sev_5dfba9c466412323c1bdf293' }),
  }),
  body: null,
  answer: z.object({ deleted: z.string().openapi({ description: 'Its event_id.' }) }),
  async run({ event_id }, { caller, website, services, write }) {
    const timeline = { organisationId: caller.organisation.id, websiteId: website.id };
    const found = await findSiteEvent(services.reader, timeline, event_id);
    if (found === null) throw new PublicError('not_found', NO_SUCH_EVENT);
    if (found.automatic) throw new PublicError('conflict', AUTOMATIC);
    await services.control.execute(
      { type: 'deleteSiteEvent', websiteId: website.id, eventId: event_id },
      write,
      `Site event "${found.title}" deleted`,
    );
    await services.waitForProjections();
    return { deleted: event_id };
  },
});

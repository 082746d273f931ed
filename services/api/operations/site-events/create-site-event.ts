import { z } from '@hono/zod-openapi';
import { FIRST_DAY, isStorableDay, LAST_DAY, OUTSIDE_DAYS } from '../../../../shared/store/column-bounds.js';
import { nameOfKey } from '../../control/name-of-actor.js';
import { websiteWrite } from '../../operation/operation.js';
import { siteEvent, TAG, toSiteEvent } from './site-event.js';

export const createSiteEvent = websiteWrite('post', {
  id: 'createSiteEvent',
  tag: TAG,
  path: '/site-events',
  summary: 'Add an entry to the timeline',
  description:
    'For a release, a campaign, a migration or anything else that explains later changes in the figures.',
  plans: 'starter',
  creates: true,
  body: z.object({
    title: z.string().trim().min(1).max(200).openapi({ example: 'Relaunch of the shop' }),
    date: z.iso
      .date('a date as YYYY-MM-DD')
      .refine(isStorableDay, OUTSIDE_DAYS)
      .openapi({ description: `From ${FIRST_DAY} to ${LAST_DAY}.`, example: '2026-11-21' }),
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time as HH:MM')
      .nullish()
      .openapi({ description: 'HH:MM in UTC.', example: '14:30' }),
    category: z.string().trim().min(1).max(60).nullish().openapi({ example: 'release' }),
    description: z.string().trim().max(2000).nullish(),
  }),
  answer: z.object({ event: siteEvent }),
  async run({ title, date, time, category, description }, { caller, website, services, write }) {
    const entry = {
      title,
      date,
      time: time ?? null,
      category: category ?? null,
      description: description ?? null,
      createdBy: nameOfKey(caller.apiKey),
    };
    const created = await services.control.execute(
      { type: 'recordSiteEvent', websiteId: website.id, ...entry },
      write,
      null,
    );
    await services.waitForProjections();
    const row = {
      event_id: created.id,
      date: created.date,
      time: created.time ?? '',
      title: created.title,
      category: created.category ?? '',
      description: created.description ?? '',
      created_by: created.createdBy,
      automatic: created.automatic,
      created_at_ms: Date.parse(created.createdAt),
    };
    return { event: toSiteEvent(website.id, row) };
  },
});

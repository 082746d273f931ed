import type { Hono } from 'hono';
import { z } from 'zod';
import { PublicError } from '../../errors.js';
import type { EventLog } from '../../event-log/event-log.js';
import { toInsightOrder } from '../../insights/insight-order.js';
import { INSIGHTS, requestedKinds, requestJob } from '../../jobs/job-request.js';
import type { ControlPlane } from '../control-plane.js';
import { readBody } from './read-input.js';
import { refuseUnknownWebsite } from './refuse-unknown-website.js';

const jobRequestSchema = z.strictObject({ kind: z.enum(requestedKinds), websiteId: z.string() });
const insightSchema = z.strictObject({
  websiteId: z.string(),
  page: z.string(),
  filters: z.string(),
  recorded: z.boolean().default(false),
});

/** What the operator has the jobs service do now. */
export function addJobRoutes(
  app: Hono,
  options: { readonly control: ControlPlane; readonly log?: EventLog | undefined },
): void {
  const { control } = options;
  app.post('/jobs', async (context) => {
    const request = readBody(jobRequestSchema, await context.req.text());
    refuseUnknownWebsite(control, request.websiteId);
    if (options.log === undefined) throw new PublicError('unavailable', 'there is no log to ask through');
    return context.json({ answer: { ...request, ...(await requestJob(options.log, request)) } });
  });

  app.post('/insights', async (context) => {
    const { websiteId, ...wanted } = readBody(insightSchema, await context.req.text());
    refuseUnknownWebsite(control, websiteId);
    if (options.log === undefined) throw new PublicError('unavailable', 'there is no log to ask through');
    const request = { kind: INSIGHTS, websiteId, details: toInsightOrder(wanted) };
    return context.json({ answer: { ...request, ...(await requestJob(options.log, request)) } });
  });
}

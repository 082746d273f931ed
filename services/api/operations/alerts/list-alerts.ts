import { z } from '@hono/zod-openapi';
import { alertTypeNames } from '../../../../shared/alerts/alert.js';
import { PublicError } from '../../../../shared/errors.js';
import { alertList, alerts, incidents, MOST_GROUPED } from '../../../../shared/reads/alerts/alerts.js';
import { count } from '../../../../shared/reads/answer/figures.js';
import { pagingFields } from '../../../../shared/reads/answer/paging.js';
import { answerWindow, laterDatedWindow } from '../../../../shared/reads/answer/windows.js';
import { namesIn } from '../../control/name-of-actor.js';
import { websiteRead } from '../../operation/operation.js';
import {
  booleanParameter,
  integerParameter,
  optionalIntegerParameter,
  optionalWindowParameters,
} from '../../operation/parameters.js';
import { MOVED, readSelectedAlerts } from './selected-alerts.js';
import { MAX_VERSION_LENGTH } from './selection-version.js';
import { snoozedSubjects } from './snoozed-subjects.js';

/** More pages than any selection has. */
const MAX_PAGE = 100_000;
/** Also the default page size. */
const MAX_PAGE_SIZE = 100;
const DEFAULT_LIMIT = 50;

const query = z.object({
  ...optionalWindowParameters(),
  limit: optionalIntegerParameter({
    min: 1,
    max: 500,
    description: `Maximum number of alerts or incidents; ${DEFAULT_LIMIT} if absent. Only without a window.`,
  }),
  type: z.enum(alertTypeNames).optional().openapi({ description: 'Only alerts of this type.' }),
  acknowledged: booleanParameter(
    'true: only acknowledged alerts, or incidents whose alerts are all acknowledged; false: only the others. Only without a window.',
  ),
  view: z.enum(['incidents']).optional().openapi({
    description: 'incidents: alerts grouped by fingerprint. Only without a window.',
  }),
  page: integerParameter({
    min: 1,
    max: MAX_PAGE,
    default: 1,
    description: 'Page of a window, counted from 1.',
  }),
  page_size: optionalIntegerParameter({
    min: 1,
    max: MAX_PAGE_SIZE,
    description: `Alerts per page; ${MAX_PAGE_SIZE} if absent. Only with a window.`,
  }),
  selection_version: z.string().max(MAX_VERSION_LENGTH).optional().openapi({
    description:
      'Value from the first page. It keeps the pages as they were at that time. Required with start and end for pages after the first.',
  }),
});
type Input = z.output<typeof query>;

const only = (mode: string) => `Only ${mode}.`;

const answer = z.object({
  alerts: alertList.alerts.optional().openapi({ description: 'Newest first. Not in the incidents view.' }),
  incidents: incidents.schema.shape.incidents.optional().openapi({
    description: `Latest last_seen first. ${only('in the incidents view')}`,
  }),
  count: count('Alerts or incidents in this answer.'),
  unacknowledged_count: count(
    'Unacknowledged alerts of the last 30 days, regardless of the filters; in the incidents view, incidents with such an alert.',
  ),
  unacknowledged_alert_count: incidents.schema.shape.unacknowledged_alert_count.optional().openapi({
    description: `Unacknowledged alerts of the last 30 days. ${only('in the incidents view')}`,
  }),
  total: count(`Alerts on all pages. ${only('with a window')}`).optional(),
  page: pagingFields.page.optional(),
  page_size: pagingFields.page_size.optional(),
  total_pages: pagingFields.total_pages.optional(),
  selection_version: z
    .string()
    .optional()
    .openapi({ description: `For further pages. ${only('with a window')}` }),
  ...laterDatedWindow,
  window: answerWindow.optional(),
});

export const listAlerts = websiteRead({
  id: 'listAlerts',
  tag: 'Alerts',
  path: '/alerts',
  summary: 'List the alerts, newest first',
  description: `Alerts by the time at which they were created. A finding that repeats before its incident is cleared is merged into the alert: the alert keeps its position and gets a later last_seen.

Without hours, start and end: the newest alerts, or with \`view=incidents\` the same alerts grouped. An alert joins the incident of its fingerprint if the last alert of that incident was found at most 6 hours before. \`active\` incidents may still repeat. Incidents are built from the newest ${MOST_GROUPED.toLocaleString('en')} alerts.

With any of them: the alerts that were created in the window, in pages. Later pages with the \`selection_version\` of the first page contain the alerts of that time, in the same order. Alerts that arrive later are in none of these pages. Merges and acknowledgements change an alert but not its position. If much older alerts arrive meanwhile (a detector catches up after hours), the call is answered 409.`,
  plans: 'starter',
  conflict: MOVED,
  query,
  answer,
  async run(input, context): Promise<z.input<typeof answer>> {
    const hasWindow = [input.hours, input.start, input.end].some((value) => value !== undefined);
    refuseOtherMode(input, hasWindow);
    const { limit = DEFAULT_LIMIT, page_size = MAX_PAGE_SIZE } = input;
    if (hasWindow) return readSelectedAlerts({ ...input, page_size }, context);
    const question = { websiteId: context.website.id, now: context.now };
    const { reader, control } = context.services;
    const shown = { ...input, limit, nameOf: namesIn(control.state()) };
    return input.view === 'incidents'
      ? incidents.read(reader, question, { ...shown, snoozed: snoozedSubjects(context) })
      : alerts.read(reader, question, shown);
  },
});

/** An ignored parameter would make a wrong answer. @throws PublicError invalid_request */
function refuseOtherMode(input: Input, hasWindow: boolean): void {
  const { limit, acknowledged, view, page, page_size, selection_version } = input;
  const refused = hasWindow
    ? { limit, acknowledged, view }
    : { page: page === 1 ? undefined : page, page_size, selection_version };
  for (const [name, value] of Object.entries(refused))
    if (value !== undefined)
      throw new PublicError(
        'invalid_request',
        `${name}: allowed only ${hasWindow ? 'without' : 'with'} hours, start or end`,
      );
}

import { z } from '@hono/zod-openapi';
import { analyticsConnectionOf } from '../../../../shared/reads/analytics/analytics-connection.js';
import { answerOrBuffer } from '../../operation/answer-or-buffer.js';
import { websiteRead } from '../../operation/operation.js';
import { windowParameters } from '../../operation/parameters.js';
import { wantedDays } from '../../operation/source-days.js';
import { analyticsOverview } from './analytics-overview.js';

export const getGaOverview = websiteRead({
  id: 'getGaOverview',
  tag: 'Analytics',
  path: '/ga/overview',
  summary: 'Web analytics sessions, compared with the logs',
  description:
    "Daily figures of the connected web analytics (Google Analytics 4), the sources with most sessions, and the share of served pages that analytics did not measure. Days are whole days in the property's time zone. `hours` are rounded up to whole days. The window ends with the last finished day. The service needs up to 48 hours to finish a day, so this is usually the day that ended three days ago. A later `end` is moved to that day. Days without a session have no row. `measurement_gap` and `log_humans` are counted from single requests. Over a long window they may be null with `data_buffering` true; repeat the same call to get them.",
  query: z.object(windowParameters()),
  answer: analyticsOverview.schema.extend({
    data_buffering: z.boolean().openapi({
      description: 'true: the logs are still being counted. Repeat the same call after Retry-After.',
    }),
  }),
  async run(input, context) {
    const { services, website, now } = context;
    const connection = analyticsConnectionOf(services.control.state(), website.id);
    const question = { websiteId: website.id, now };
    const wanted = wantedDays(input, context);
    const first = await analyticsOverview.read(services.reader, question, { connection, wanted });
    const { overview } = first;
    if (!overview.available) return { ...overview, data_buffering: false };
    const days = first.days.map(({ day, timeZone, pageviews }) => [day, timeZone, pageviews]);
    const answered = await answerOrBuffer(services, {
      mayTakeLong: true,
      mostlyQuick: true,
      owner: website.organisationId,
      // A new read of the source makes a new question.
      question: ['getGaOverview', website.id, connection?.sourceId, overview.last_sync_at, days],
      read: (reader) => analyticsOverview.complete(reader, question, first),
      schema: analyticsOverview.schema,
      knownPart: overview,
    });
    return answered as typeof overview & { data_buffering: boolean };
  },
});

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
  summary: 'Sessions by web analytics, held against the logs',
  description:
    "What the connected web analytics (Google Analytics 4) count, day by day, with the sources that sent most sessions, and how much of what people were served it did not see. Days are whole, and those of the property's time zone. `hours` are rounded up to whole days, and the window ends with the last finished day: the service takes up to 48 hours for one, so it is the day that ended three days ago as a rule. A later `end` is taken for that day. Days without a session have no row. `measurement_gap` and `log_humans` are counted from single requests: over a long window `data_buffering` may be true, while the rest is there; repeat the same call and it returns the finished result.",
  query: z.object(windowParameters()),
  answer: analyticsOverview.schema.extend({
    data_buffering: z.boolean().openapi({
      description: 'true: the logs are still being counted. Repeat the same call after Retry-After.',
    }),
  }),
  async run(given, context) {
    const { services, website, now } = context;
    const connection = analyticsConnectionOf(services.control.state(), website.id);
    const asked = { websiteId: website.id, now };
    const wanted = wantedDays(given, context);
    const first = await analyticsOverview.read(services.reader, asked, { connection, wanted });
    const { told } = first;
    if (!told.available) return { ...told, data_buffering: false };
    const days = first.days.map(({ day, timeZone, pageviews }) => [day, timeZone, pageviews]);
    const answered = await answerOrBuffer(services, {
      mayTakeLong: true,
      mostlyQuick: true,
      owner: website.organisationId,
      // What was read since is another question.
      question: ['getGaOverview', website.id, connection?.sourceId, told.last_sync_at, days],
      read: (reader) => analyticsOverview.complete(reader, asked, first),
      schema: analyticsOverview.schema,
      known: told,
    });
    return answered as typeof told & { data_buffering: boolean };
  },
});

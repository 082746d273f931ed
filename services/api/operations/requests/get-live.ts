import { z } from '@hono/zod-openapi';
import { botVerdict, toBotVerdict } from '../../../../shared/reads/answer/bot-verdict.js';
import { botCategoryOrNone, trafficClass } from '../../../../shared/reads/answer/enumeration.js';
import { sentPath } from '../../../../shared/reads/answer/figures.js';
import { instant, toInstant } from '../../../../shared/reads/answer/instant.js';
import { statusCategory, toStatusCategory } from '../../../../shared/reads/answer/status-category.js';
import { blockRowsFor } from '../../../../shared/reads/sql/segment-conditions.js';
import { answerOrBuffer, bufferedSchema } from '../../operation/answer-or-buffer.js';
import { websiteRead } from '../../operation/operation.js';
import { segmentParameter } from '../../operation/parameters.js';
import { resolveSegment } from '../../operation/resolve-scope.js';
import { type LiveRow, liveFeedTypes, readLiveFeed } from './live-sql.js';
import { isBot } from './request-rows.js';

/** Rows per answer: enough for a screen or two, and for a poll every few seconds. */
const LIVE_ROWS = 100;

const liveEntry = z
  .object({
    timestamp: instant,
    client_ip: z.string().openapi({ description: 'Empty if it is no longer stored.' }),
    method: z.string(),
    path: sentPath,
    status: z.int(),
    status_category: statusCategory,
    bytes_sent: z.int(),
    time_taken: z.int().nullable().openapi({ description: 'Milliseconds.' }),
    user_agent: z.string(),
    traffic_class: trafficClass,
    is_bot: isBot,
    bot_name: z.string(),
    bot_category: botCategoryOrNone,
    ...botVerdict,
  })
  .openapi('LiveRequest');

const answer = z.object({
  feed_type: z.enum(liveFeedTypes),
  count: z.int().openapi({ description: 'Requests in this answer.' }),
  requests: z.array(liveEntry),
});

export const getLive = websiteRead({
  id: 'getLive',
  tag: 'Requests',
  path: '/live',
  summary: 'The newest requests',
  description: `The ${LIVE_ROWS} newest requests, newest first, of any age but not from the future. Poll this call; there is no streaming. \`errors\` are statuses 400 to 599.`,
  query: z.object({
    type: z.enum(liveFeedTypes).default('all').openapi({ description: 'Which requests to show.' }),
    segment: segmentParameter,
  }),
  answer: bufferedSchema(answer, ['feed_type']),
  async run(input, context) {
    const { website, services } = context;
    const { type } = input;
    const segment = resolveSegment(input.segment, context);
    return answerOrBuffer(services, {
      mayTakeLong: segment !== null,
      owner: context.website.organisationId,
      blockRows: segment === null ? undefined : blockRowsFor([segment]),
      question: ['getLive', website.id, type, segment],
      read: async (reader) => {
        const feed = { websiteId: website.id, type, segment, until: context.now, limit: LIVE_ROWS };
        const rows = await readLiveFeed(reader, feed);
        return { feed_type: type, count: rows.length, requests: rows.map(toLiveEntry) };
      },
      schema: answer,
      knownPart: { feed_type: type },
    });
  },
});

function toLiveEntry({ timestamp_ms, time_taken_ms, verification, ...columns }: LiveRow) {
  return {
    ...columns,
    timestamp: toInstant(timestamp_ms),
    status_category: toStatusCategory(columns.status),
    time_taken: time_taken_ms,
    ...toBotVerdict(verification),
  };
}

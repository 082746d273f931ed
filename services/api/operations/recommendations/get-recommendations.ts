import { z } from '@hono/zod-openapi';
import { REAPPEARS, recommendations } from '../../../../shared/reads/recommendations/recommendations.js';
import { answerOrBuffer, bufferedSchema } from '../../operation/answer-or-buffer.js';
import { websiteRead } from '../../operation/operation.js';
import { windowParameters } from '../../operation/parameters.js';
import { resolveWindow } from '../../operation/resolve-scope.js';
import { TAG } from './recommendation.js';
import { recommendationInput } from './recommendation-input.js';

const { schema } = recommendations;
const answer = bufferedSchema(
  schema,
  Object.keys(schema.shape).filter((name) => !['resolved_count', 'paths_404'].includes(name)),
  'secondHalf',
);

export const getRecommendations = websiteRead({
  id: 'getRecommendations',
  tag: TAG,
  path: '/recommendations',
  summary: 'Ranked recommendations',
  description: `Addresses to block, pages not found, crawler impostors and slow pages, each with a score and reasons. Segments and other filters have no effect here. ${REAPPEARS}\n\nOver a long window \`paths_404\` and \`resolved_count\` may be null and \`data_buffering\` true, while the other fields are complete.`,
  query: z.object(windowParameters()),
  answer,
  async run({ hours, start, end }, context): Promise<z.input<typeof answer>> {
    const { website, services, now } = context;
    const scope = { websiteId: website.id, window: resolveWindow({ hours, start, end }, now), filters: {} };
    const input = recommendationInput(context);
    const firstHalf = await recommendations.read(services.reader, scope, input);
    const { resolved_count: _, paths_404: __, ...knownPart } = firstHalf;
    const window = start !== undefined && end !== undefined ? [start, end] : hours;
    return answerOrBuffer(services, {
      mayTakeLong: true,
      mostlyQuick: true,
      owner: website.organisationId,
      question: ['getRecommendations', website.id, window],
      read: (reader) => recommendations.complete!(reader, scope, input, firstHalf),
      schema,
      knownPart: knownPart,
    });
  },
});

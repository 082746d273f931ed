import { z } from '@hono/zod-openapi';
import { MOST_RESOLVED } from '../../../../shared/control/aggregates/organisation-room.js';
import { REAPPEARS } from '../../../../shared/reads/recommendations/recommendations.js';
import { websiteWrite } from '../../operation/operation.js';
import { recommendationKey, recommendationState, TAG } from './recommendation.js';

export const resolveRecommendation = websiteWrite('post', {
  id: 'resolveRecommendation',
  tag: TAG,
  path: '/recommendations/resolve',
  summary: 'Mark a recommendation as done',
  description: `Moves it from the lists to \`resolved_count\`, until it is reopened or newer evidence contradicts it. ${REAPPEARS}`,
  conflict: `The organisation has ${MOST_RESOLVED} resolved recommendations: reopen some first.`,
  body: z.object({ key: recommendationKey }),
  answer: recommendationState,
  async run({ key }, { website, services, write }) {
    const resolution = await services.control.execute(
      { type: 'resolveRecommendation', websiteId: website.id, key },
      write,
      `Recommendation ${key} resolved`,
    );
    return { key, resolved: true, resolved_at: resolution.resolvedAt };
  },
});

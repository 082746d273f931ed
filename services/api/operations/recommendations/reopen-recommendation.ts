import { z } from '@hono/zod-openapi';
import { websiteWrite } from '../../operation/operation.js';
import { recommendationKey, recommendationState, TAG } from './recommendation.js';

export const reopenRecommendation = websiteWrite('delete', {
  id: 'reopenRecommendation',
  tag: TAG,
  path: '/recommendations/resolve/{key}',
  summary: 'Reopen a recommendation',
  description: 'Changes nothing if it is open.',
  pathParameters: z.object({ key: recommendationKey }),
  body: null,
  answer: recommendationState,
  async run({ key }, { website, services, write }) {
    await services.control.execute(
      { type: 'reopenRecommendation', websiteId: website.id, key },
      write,
      `Recommendation ${key} reopened`,
    );
    return { key, resolved: false, resolved_at: null };
  },
});

import { z } from '@hono/zod-openapi';
import {
  isRecommendationKey,
  MAX_RECOMMENDATION_KEY,
  RECOMMENDATION_KEY_FORMS,
} from '../../../../shared/control/aggregates/resolution.js';

export const TAG = 'Recommendations';

export const recommendationKey = z
  .string()
  .max(MAX_RECOMMENDATION_KEY)
  .refine(isRecommendationKey, RECOMMENDATION_KEY_FORMS)
  .openapi({
    description:
      '`key` of an item in a list of recommendations: `ip:<ip>`, `404:<path>`, `unverified:<bot>:<ip>` or `slow:<path>`. Percent-encode it in a path.',
    example: '404:/old-page',
  });

export const recommendationState = z
  .object({
    key: z.string(),
    resolved: z.boolean(),
    resolved_at: z.iso.datetime().nullable().openapi({ description: 'null: it is open.' }),
  })
  .openapi('RecommendationState');

import { z } from '@hono/zod-openapi';
import {
  MAX_RECOMMENDATION_KEY,
  RECOMMENDATION_KEY,
} from '../../../../shared/control/aggregates/resolution.js';

export const TAG = 'Recommendations';

export const recommendationKey = z
  .string()
  .max(MAX_RECOMMENDATION_KEY)
  .regex(RECOMMENDATION_KEY, 'a key as ip:<ip>, 404:<path>, unverified:<bot>:<ip> or slow:<path>')
  .openapi({
    description: 'As lists of recommendations show it; percent-encoded in a path.',
    example: '404:/old-page',
  });

export const recommendationState = z
  .object({
    key: z.string(),
    resolved: z.boolean(),
    resolved_at: z.iso.datetime().nullable().openapi({ description: 'null: it is open.' }),
  })
  .openapi('RecommendationState');

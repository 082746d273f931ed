import { z } from '@hono/zod-openapi';
import {
  isRecommendationKey,
  MAX_RECOMMENDATION_KEY,
  RECOMMENDATION_KEY_FORMS,
} from '../../../../shared/control/aggregates/resolution.js';
import { normalPath } from '../../../../shared/urls/normal-spelling.js';

export const TAG = 'Recommendations';

export const recommendationKey = z
  .string()
  .max(MAX_RECOMMENDATION_KEY)
  .transform(normalKey)
  .refine((key) => isRecommendationKey(key) && key.length <= MAX_RECOMMENDATION_KEY, RECOMMENDATION_KEY_FORMS)
  .openapi({
    type: 'string',
    description:
      '`key` of an item in a list of recommendations, with the path in any spelling: `ip:<ip>`, `404:<path>`, `unverified:<bot>:<ip>` or `slow:<path>`. Percent-encode it in a path.',
    example: '404:/old-page',
  });

/** Lists have paths in normal spelling. */
function normalKey(key: string): string {
  const [, kind, path] = /^(404:|slow:)(.*)$/s.exec(key) ?? [];
  return kind === undefined ? key : kind + normalPath(path!);
}

export const recommendationState = z
  .object({
    key: z.string(),
    resolved: z.boolean(),
    resolved_at: z.iso.datetime().nullable().openapi({ description: 'null: open.' }),
  })
  .openapi('RecommendationState');

import { z } from '@hono/zod-openapi';
import { websiteRead } from '../../operation/operation.js';
import { segment, TAG, toSegment } from './segment.js';

export const listSegments = websiteRead({
  id: 'listSegments',
  tag: TAG,
  path: '/segments',
  summary: 'The segments of the website',
  description:
    'Saved groups of pages, by `order` (those without come last), then oldest first. Their ids go into the parameter `segment` of the reads that take it.',
  query: z.object({}),
  answer: z.object({ segments: z.array(segment) }),
  async run(_input, { website, services }) {
    const segments = services.control.state().segments.by('websiteId', website.id);
    return {
      segments: [...segments]
        .sort((a, b) => (a.order ?? Number.POSITIVE_INFINITY) - (b.order ?? Number.POSITIVE_INFINITY) || 0)
        .map(toSegment),
    };
  },
});

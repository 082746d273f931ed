import { z } from '@hono/zod-openapi';
import { websiteRead } from '../../operation/operation.js';
import { segment, TAG, toSegment } from './segment.js';

export const listSegments = websiteRead({
  id: 'listSegments',
  tag: TAG,
  path: '/segments',
  summary: 'List the segments of the website',
  description:
    'Saved groups of pages, by `order` (segments without order last), then oldest first. Reads with the parameter `segment` take their ids.',
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

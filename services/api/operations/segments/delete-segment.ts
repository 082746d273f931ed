import { z } from '@hono/zod-openapi';
import { websiteWrite } from '../../operation/operation.js';
import { NO_SUCH_SEGMENT, segmentPath, TAG } from './segment.js';

export const deleteSegment = websiteWrite('delete', {
  id: 'deleteSegment',
  tag: TAG,
  path: '/segments/{segment_id}',
  summary: 'Delete a segment',
  description: 'Its nested segments move up one level.',
  missing: NO_SUCH_SEGMENT,
  pathParameters: segmentPath,
  body: null,
  answer: z.object({ deleted: z.string().openapi({ description: 'Its segment_id.' }) }),
  async run({ segment_id }, { website, services, write }) {
    const name = services.control.segment(website.id, segment_id)?.name;
    const deleted = await services.control.execute(
      { type: 'deleteSegment', websiteId: website.id, segmentId: segment_id },
      write,
      `Segment "${name}" deleted`,
    );
    return { deleted: deleted.id };
  },
});

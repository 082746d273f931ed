import { z } from '@hono/zod-openapi';
import { MOST_SEGMENT_CHARACTERS } from '../../../../shared/control/aggregates/organisation-room.js';
import { websiteWrite } from '../../operation/operation.js';
import { refuseBadRegexes } from './refuse-bad-regexes.js';
import {
  fromSegmentBody,
  NO_SUCH_SEGMENT,
  segment,
  segmentBody,
  segmentPath,
  TAG,
  toSegment,
} from './segment.js';

/** PUT and PATCH do the same (spec §4.7). */
function replacement(method: 'put' | 'patch', id: string) {
  return websiteWrite(method, {
    id,
    tag: TAG,
    path: '/segments/{segment_id}',
    summary: 'Replace a segment',
    description: 'The body replaces the whole segment: missing fields get their defaults.',
    missing: NO_SUCH_SEGMENT,
    conflict: `The organisation’s segments would have more than ${MOST_SEGMENT_CHARACTERS} characters in total.`,
    pathParameters: segmentPath,
    body: segmentBody,
    answer: z.object({ segment }),
    async run({ segment_id, ...body }, { website, services, write }) {
      await refuseBadRegexes(services.reader, body);
      const replaced = await services.control.execute(
        {
          type: 'replaceSegment',
          websiteId: website.id,
          segmentId: segment_id,
          ...fromSegmentBody(body),
        },
        write,
        `Segment "${body.name}" changed`,
      );
      return { segment: toSegment(replaced) };
    },
  });
}

export const replaceSegment = replacement('put', 'replaceSegment');
export const patchSegment = replacement('patch', 'patchSegment');

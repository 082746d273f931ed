import { z } from '@hono/zod-openapi';
import { MOST_SEGMENT_CHARACTERS } from '../../../../shared/control/aggregates/organisation-room.js';
import { MAX_SEGMENTS } from '../../../../shared/control/aggregates/segment.js';
import { websiteWrite } from '../../operation/operation.js';
import { refuseBadRegexes } from './refuse-bad-regexes.js';
import { fromSegmentBody, segment, segmentBody, TAG, toSegment } from './segment.js';

export const createSegment = websiteWrite('post', {
  id: 'createSegment',
  tag: TAG,
  path: '/segments',
  summary: 'Save a segment',
  description:
    'A segment is evaluated when logs are read, so it immediately covers all stored logs. The engine that runs the regexes (RE2) checks them first.',
  conflict: `The website already has ${MAX_SEGMENTS} segments, or the organisation’s segments have ${MOST_SEGMENT_CHARACTERS} characters in total.`,
  creates: true,
  body: segmentBody,
  answer: z.object({ segment }),
  async run(body, { website, services, write }) {
    await refuseBadRegexes(services.reader, body);
    const created = await services.control.execute(
      { type: 'createSegment', websiteId: website.id, ...fromSegmentBody(body) },
      write,
      `Segment "${body.name}" created`,
    );
    return { segment: toSegment(created) };
  },
});

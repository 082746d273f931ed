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
    'A segment is evaluated on the logs when they are read, so it covers all history from the moment it is saved. Regexes are tried by the engine that will run them (RE2).',
  conflict: `The website has ${MAX_SEGMENTS} segments already, or those of the organisation have ${MOST_SEGMENT_CHARACTERS} characters together.`,
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

import { z } from '@hono/zod-openapi';
import { MAX_SEGMENTS } from '../../../../shared/control/aggregates/segment.js';
import { segmentLibrary } from '../../../../shared/control/domain/segment-library.js';
import { websiteWrite } from '../../operation/operation.js';
import { TAG } from './segment.js';

export const addSegmentLibrary = websiteWrite('post', {
  id: 'addSegmentLibrary',
  tag: TAG,
  path: '/segments/library',
  summary: 'Add the standard segments',
  description: `Adds ${segmentLibrary.map(({ name }) => name).join(', ')}, each with fixed rules. A segment whose name exists (ignoring case) is skipped, so the call can be repeated.`,
  conflict: `The missing segments would make more than ${MAX_SEGMENTS}; none is added.`,
  creates: true,
  body: z.object({}),
  bodyOptional: true,
  answer: z.object({
    added: z.array(z.string()).openapi({ description: 'Names of the added segments.' }),
  }),
  async run(_input, { website, services, write }) {
    return services.control.execute(
      { type: 'addSegmentLibrary', websiteId: website.id },
      write,
      'Segment library added',
    );
  },
});

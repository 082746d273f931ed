import { z } from '@hono/zod-openapi';
import type { Segment } from '../../../../shared/control/domain/model.js';
import { booleanParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { segmentsBreakdown } from './segments-breakdown.js';

export const getSegmentsBreakdown = windowRead({
  id: 'getSegmentsBreakdown',
  tag: 'Segments',
  path: '/segments-breakdown',
  summary: 'Segments side by side',
  description:
    'The same figures for every segment, beside those of all requests (`_all`, always first). A request is counted in each segment that it is in, so segments need not add up. It is read from the single requests of the whole window: over a long one the answer may say `data_buffering` true; repeat the same call and it returns the finished result.',
  window: { defaultHours: 720 },
  parameters: z.object({
    compare: booleanParameter('1 adds the figures of the window just before, and the change.'),
    segments: z.string().max(5000).optional().openapi({
      description: 'Comma-separated ids of the segments to show; unknown ones are ignored. Default: all.',
      example: 'seg_4kq9x2,seg_7m1c0p',
    }),
  }),
  segment: false,
  raw: true,
  answer: segmentsBreakdown,
  input: ({ compare = false, segments }, { website, services }) => ({
    compare,
    segments: chooseSegments(services.control.state().segments.by('websiteId', website.id), segments).map(
      ({ id, name, rules, excludeRules }) => ({ id, name, rules, excludeRules }),
    ),
  }),
  segmentsOf: ({ segments }) => segments,
});

/** In the order that their owner gave them, then by age. */
function chooseSegments(all: readonly Segment[], ids: string | undefined): Segment[] {
  const chosen = (ids ?? '').split(',').flatMap((id) => id.trim() || []);
  const place = ({ order }: Segment) => order ?? Number.MAX_VALUE;
  return all
    .filter(({ id }) => chosen.length === 0 || chosen.includes(id))
    .toSorted((a, b) => place(a) - place(b));
}

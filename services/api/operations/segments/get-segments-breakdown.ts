import { z } from '@hono/zod-openapi';
import type { Segment } from '../../../../shared/control/domain/model.js';
import { booleanParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { segmentsBreakdown } from './segments-breakdown.js';

export const getSegmentsBreakdown = windowRead({
  id: 'getSegmentsBreakdown',
  tag: 'Segments',
  path: '/segments-breakdown',
  summary: 'Comparison of segments',
  description:
    'The same figures for every segment and for all requests (`_all`, always first). A request counts in each segment that matches it, so segments may not add up. The figures come from the single requests of the window. Over a long window the answer may have `data_buffering` true; repeat the same call to get the result.',
  window: { defaultHours: 720 },
  parameters: z.object({
    compare: booleanParameter('1 adds the figures of the previous window and the change.'),
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

/** By the owner's order, then by age. */
function chooseSegments(all: readonly Segment[], ids: string | undefined): Segment[] {
  const chosen = (ids ?? '').split(',').flatMap((id) => id.trim() || []);
  const place = ({ order }: Segment) => order ?? Number.MAX_VALUE;
  return all
    .filter(({ id }) => chosen.length === 0 || chosen.includes(id))
    .toSorted((a, b) => place(a) - place(b));
}

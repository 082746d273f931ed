import type { Segment, SegmentRule } from '../../shared/control/domain/model.js';
import { testSegment } from '../harness/test-segment.js';

/** Segments of every kind of rule over the random requests (random-requests.ts). */

function segment(
  id: string,
  rules: readonly [SegmentRule['type'], string][],
  excludeRules: readonly [SegmentRule['type'], string][] = [],
  more: Partial<Segment> = {},
): Segment {
  const toRule = ([type, value]: readonly [SegmentRule['type'], string]) => ({ type, value });
  return testSegment({ id, rules: rules.map(toRule), excludeRules: excludeRules.map(toRule), ...more });
}

export const segments: readonly Segment[] = [
  segment(
    'products',
    [['prefix', '/shop/product-']],
    [
      ['contains', '-1'],
      ['regex', '[2468]$'],
    ],
  ),
  segment('odd', [
    ['exact', "/it's\\here"],
    ['exact', '/über'],
    ['contains', '\t'],
    ['contains', '%2F'],
  ]),
  segment(
    'paged',
    [['query', '&page=']],
    [
      ['query', '&page=2'],
      ['prefix', '/archive/1'],
    ],
  ),
  segment(
    'archive',
    [
      ['regex', '^/archive/[0-9]{2,3}$'],
      ['regex', 'product-(1|2)[0-9]?$'],
    ],
    [],
    { order: 1 },
  ),
  segment('parameters', [
    ['query', '='],
    ['exact', '/'],
  ]),
  segment('none', [['exact', '/nowhere']]),
  segment('foreign', [['prefix', '/archive/']], [], { websiteId: 'rival' }),
];

export const ownSegments = segments.filter(({ websiteId }) => websiteId === 'shop');

import type { Segment } from '../../shared/control/domain/model.js';

/** A segment of the website `shop`, by default with rules only. */
export function testSegment(given: Pick<Segment, 'id' | 'rules'> & Partial<Segment>): Segment {
  return {
    websiteId: 'shop',
    name: `Segment ${given.id}`,
    excludeRules: [],
    colour: null,
    parentId: null,
    notes: null,
    order: null,
    createdAt: '2026-11-01T00:00:00.000Z',
    updatedAt: '2026-11-01T00:00:00.000Z',
    ...given,
  };
}

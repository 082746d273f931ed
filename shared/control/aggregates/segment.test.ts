import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createDecider, type Decider } from '../../../test/harness/decider.js';
import type { Segment } from '../domain/model.js';
import { segmentLibrary } from '../domain/segment-library.js';
import { MAX_SEGMENTS } from './segment.js';

const rules = [{ type: 'prefix' as const, value: '/blog' }];

let decider: Decider;
let websiteId: string;

function openWebsite(): void {
  decider = createDecider();
  const { id: organisationId } = decider.do({ type: 'createOrganisation', name: 'Shop' });
  websiteId = decider.do({ type: 'createWebsite', organisationId, domain: 'shop.example' }).website.id;
}
beforeEach(openWebsite);

function add(name: string, parentId: string | null = null): Segment {
  return decider.do({ type: 'createSegment', websiteId, name, rules, parentId });
}

describe('a segment', () => {
  test('is created, replaced as a whole and deleted', () => {
    const parent = add('Parent');
    const made = decider.do({
      type: 'createSegment',
      websiteId,
      name: '  Blog ',
      rules,
      excludeRules: [{ type: 'regex', value: '\\.pdf$' }],
      colour: '#2563eb',
      parentId: parent.id,
      notes: 'n',
      order: 3,
    });
    expect(made).toMatchObject({ name: 'Blog', colour: '#2563eb', parentId: parent.id, order: 3 });
    decider.now += 1000;
    const replaced = decider.do({
      type: 'replaceSegment',
      websiteId,
      segmentId: made.id,
      name: 'News',
      rules: [{ type: 'query', value: '&page=' }],
    });
    expect(replaced).toEqual({
      id: made.id,
      websiteId,
      name: 'News',
      rules: [{ type: 'query', value: '&page=' }],
      excludeRules: [],
      colour: null,
      parentId: null,
      notes: null,
      order: null,
      createdAt: '2026-11-21T12:00:00.000Z',
      updatedAt: '2026-11-21T12:00:01.000Z',
    });
    expect(decider.do({ type: 'deleteSegment', websiteId, segmentId: made.id }).id).toBe(made.id);
    expect(decider.state.segments.by('websiteId', websiteId)).toEqual([parent]);
    expect(decider.refusal({ type: 'deleteSegment', websiteId, segmentId: made.id }).code).toBe('not_found');
  });

  test.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(61) }],
    ['rules', { rules: [] }],
    ['rules', { rules: Array.from({ length: 31 }, () => rules[0]) }],
    ['rules', { rules: [{ type: 'suffix', value: 'x' }] }],
    ['rules', { rules: [{ type: 'exact', value: '' }] }],
    ['exclude_rules', { excludeRules: Array.from({ length: 31 }, () => rules[0]) }],
    ['colour', { colour: 'red' }],
    ['colour', { colour: '#12345' }],
    ['parent_id', { parentId: 'seg_none' }],
  ])('with a wrong %s is refused', (field, wrong) => {
    const refusal = decider.refusal({
      type: 'createSegment',
      websiteId,
      name: 'x',
      rules,
      ...wrong,
    } as never);
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.detail).toMatch(new RegExp(`^${field}`));
  });

  test('of another website cannot be a parent, be replaced or be deleted', () => {
    const foreign = add('Foreign').id;
    const organisationId = [...decider.state.organisations.values()][0]!.id;
    const other = decider.do({ type: 'createWebsite', organisationId, domain: 'b.example' }).website.id;
    const fields = { websiteId: other, name: 'x', rules };
    expect(decider.refusal({ type: 'createSegment', ...fields, parentId: foreign }).code).toBe(
      'invalid_request',
    );
    expect(decider.refusal({ type: 'replaceSegment', ...fields, segmentId: foreign }).code).toBe('not_found');
    expect(decider.refusal({ type: 'deleteSegment', websiteId: other, segmentId: foreign }).code).toBe(
      'not_found',
    );
  });
});

describe('nesting', () => {
  test('in a circle is refused, at any depth', () => {
    const [a, b, c] = [add('A'), add('B'), add('C')];
    const under = (child: Segment, parentId: string) =>
      ({
        type: 'replaceSegment',
        websiteId,
        segmentId: child.id,
        name: child.name,
        rules,
        parentId,
      }) as const;
    decider.do(under(b, a.id));
    decider.do(under(c, b.id));
    for (const parent of [a, b, c])
      expect(decider.refusal(under(a, parent.id)).detail).toMatch(/^parent_id: .*under itself/);
  });

  test('children of a deleted segment move up to its parent', () => {
    const top = add('Top');
    const middle = add('Middle', top.id);
    const low = add('Low', middle.id);
    decider.do({ type: 'deleteSegment', websiteId, segmentId: middle.id });
    expect(decider.state.segments.get(low.id)?.parentId).toBe(top.id);
    decider.do({ type: 'deleteSegment', websiteId, segmentId: top.id });
    expect(decider.state.segments.get(low.id)?.parentId).toBeNull();
  });

  test('any sequence of changes leaves a forest of at most a hundred segments, with all parents present', () => {
    const step = fc.record({
      kind: fc.constantFrom('create', 'create', 'nest', 'delete', 'library'),
      one: fc.nat(),
      two: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        openWebsite();
        for (const { kind, one, two } of steps) {
          const held = decider.state.segments.by('websiteId', websiteId);
          const pick = (index: number) => held[index % Math.max(held.length, 1)];
          const attempt = commandOf(kind, pick(one), pick(two));
          try {
            decider.do(attempt);
          } catch (error) {
            expect(String(error)).toMatch(/refused/);
          }
        }
        const all = decider.state.segments.by('websiteId', websiteId);
        expect(all.length).toBeLessThanOrEqual(MAX_SEGMENTS);
        for (const segment of all) {
          let at: Segment | undefined = segment;
          for (let hops = 0; at !== undefined; hops++) {
            expect(hops).toBeLessThanOrEqual(all.length);
            if (at.parentId !== null) expect(decider.state.segments.get(at.parentId)).toBeDefined();
            at = at.parentId === null ? undefined : decider.state.segments.get(at.parentId);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  function commandOf(kind: string, one: Segment | undefined, two: Segment | undefined) {
    const fields = { websiteId, name: one?.name ?? 'Name', rules, parentId: two?.id ?? null };
    if (kind === 'library') return { type: 'addSegmentLibrary', websiteId } as const;
    if (kind === 'create' || one === undefined) return { type: 'createSegment', ...fields } as const;
    if (kind === 'delete') return { type: 'deleteSegment', websiteId, segmentId: one.id } as const;
    return { type: 'replaceSegment', segmentId: one.id, ...fields } as const;
  }
});

describe('the hundredth segment', () => {
  test('is the last one, until one is deleted', () => {
    const [first] = Array.from({ length: MAX_SEGMENTS }, (_, index) => add(`S${index}`));
    const more = { type: 'createSegment', websiteId, name: 'More', rules } as const;
    expect(decider.refusal(more)).toMatchObject({ code: 'conflict' });
    decider.do({ type: 'deleteSegment', websiteId, segmentId: first!.id });
    decider.do(more);
  });

  test('the library is added completely or not at all', () => {
    for (let index = 0; index < MAX_SEGMENTS - 7; index++) add(`S${index}`);
    expect(decider.refusal({ type: 'addSegmentLibrary', websiteId })).toMatchObject({ code: 'conflict' });
    expect(decider.state.segments.by('websiteId', websiteId)).toHaveLength(MAX_SEGMENTS - 7);
  });
});

describe('the library', () => {
  test('has the eight groups of the specification, and adds the missing ones', () => {
    expect(segmentLibrary.map(({ name }) => name)).toEqual([
      'Blog',
      'Products',
      'Categories',
      'Guides & help',
      'Pagination',
      'Parameter URLs',
      'Search results',
      'Account & checkout',
    ]);
    add('bLOG');
    expect(decider.do({ type: 'addSegmentLibrary', websiteId }).added).toEqual(
      segmentLibrary.slice(1).map(({ name }) => name),
    );
    expect(decider.do({ type: 'addSegmentLibrary', websiteId }).added).toEqual([]);
    expect(decider.state.segments.by('websiteId', websiteId)).toHaveLength(8);
  });
});

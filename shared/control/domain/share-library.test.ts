import { expect, test } from 'vitest';
import { contentsOf } from '../../../test/harness/control-actions.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { copyState, deserialise, serialise } from '../snapshot/snapshot.js';
import type { WritableState } from './state.js';

async function planeWithLibraries(websites: number) {
  const { control } = await openTestPlane();
  const { id: organisationId } = granted(
    await control.execute({ type: 'createOrganisation', name: 'Shop' }, 'admin'),
  );
  granted(await control.execute({ type: 'setPlan', organisationId, planId: 'unlimited' }, 'admin'));
  for (let nth = 0; nth < websites; nth += 1) {
    const { website } = granted(
      await control.execute({ type: 'createWebsite', organisationId, domain: `shop${nth}.example` }, 'admin'),
    );
    granted(await control.execute({ type: 'addSegmentLibrary', websiteId: website.id }, 'admin'));
  }
  return control;
}

const differentRules = (state: Pick<WritableState, 'segments'>) =>
  new Set([...state.segments.values()].flatMap(({ rules, excludeRules }) => [rules, excludeRules])).size;

test('websites with the library share one copy of its rules, folded and from a snapshot', async () => {
  const control = await planeWithLibraries(20);
  const state = control.state() as unknown as WritableState;
  expect(state.segments.size).toBe(160);
  // Eight of the library, and the empty list.
  expect(differentRules(state)).toBe(9);
  const restored = await deserialise(serialise(copyState(state)));
  expect(differentRules(restored)).toBe(9);
  expect(contentsOf(restored)).toEqual(contentsOf(control.state()));
});

test('a changed segment has its own rules, and no other has them', async () => {
  const control = await planeWithLibraries(2);
  const [first, ...others] = control.state().segments.values();
  const { id: segmentId, websiteId, name } = first!;
  const rules = [...first!.rules.slice(1), { type: 'prefix' as const, value: '/own' }];
  granted(await control.execute({ type: 'replaceSegment', websiteId, segmentId, name, rules }, 'admin'));
  expect(control.state().segments.get(segmentId)!.rules).toEqual(rules);
  for (const other of others) expect(control.state().segments.get(other.id)).toBe(other);
});

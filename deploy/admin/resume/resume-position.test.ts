import { expect, test } from 'vitest';
import { planCommit } from '../../../shared/requests/range-plan.js';
import { type PartitionState, resumePosition } from './resume-position.js';

const state = (change: Partial<PartitionState>): PartitionState => ({
  partition: 3,
  committed: { offset: 20, metadata: '' },
  lastStored: 19,
  oldest: 5,
  end: 30,
  ...change,
});
const planned = (first: number, last: number) =>
  planCommit({ first, last, mark: 'm', plannedAt: 0, leftOut: new Set() });

test.each<[name: string, change: Partial<PartitionState>, to: number, lost: number | null, moves: boolean]>([
  ['stays if the commit and the store agree', {}, 20, 0, false],
  ['moves after the last stored record if the commits were lost', { committed: null }, 20, 0, true],
  ['moves back to the last record of an older store', { lastStored: 9 }, 10, 0, true],
  [
    'moves forward to the last stored record if the commit is older',
    { committed: { offset: 7, metadata: '' } },
    20,
    0,
    true,
  ],
  ['moves to the oldest record if the store is empty', { lastStored: null }, 5, null, true],
  ['counts records that were dropped by age and are not stored', { lastStored: 1 }, 5, 3, true],
  [
    'moves before a plan that an older store does not have',
    { committed: planned(20, 24), lastStored: 9 },
    10,
    0,
    true,
  ],
  ['moves after a plan that is older than the store', { committed: planned(10, 14) }, 20, 0, true],
  ['keeps a plan that is partly stored', { committed: planned(18, 24) }, 18, 0, false],
  ['keeps a plan that is next', { committed: planned(20, 24) }, 20, 0, false],
  ['keeps a plan that is stored but not committed as finished', { committed: planned(15, 19) }, 15, 0, false],
])('the group %s', (_name, change, to, lost, moves) => {
  expect(resumePosition(state(change))).toMatchObject({ partition: 3, to, lost, moves });
});

test('refuses a store that is ahead of the log', () => {
  expect(() => resumePosition(state({ lastStored: 30 }))).toThrow(/^partition 3: .*offset 30.*ends at 30/);
});

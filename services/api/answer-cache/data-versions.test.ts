import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DataChange } from '../../../shared/changes/data-change.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { runs } from '../../../test/harness/runs.js';
import { createDataVersions, unknownVersions } from './data-versions.js';

const NOW = Date.UTC(2026, 10, 28);
const NOW_HOUR = NOW / HOUR_MS;
const websites = ['a', 'b', 'c'];
const hours = [0, 1, 2, 50, 2_500, 60_000].map((before) => NOW_HOUR - before);

const someHour = fc.oneof(fc.constantFrom(...hours), fc.integer({ min: NOW_HOUR - 2_600, max: NOW_HOUR }));
const someChange: fc.Arbitrary<DataChange> = fc.record(
  {
    websiteId: fc.constantFrom(...websites, ...websites, null),
    firstHour: someHour,
    lastHour: someHour,
    keepsRows: fc.boolean(),
  },
  { requiredKeys: ['websiteId'] },
);

const concerns = (change: DataChange, websiteId: string) =>
  change.websiteId === null || change.websiteId === websiteId;

/** Whether the change names other hours only. */
function leavesHour({ websiteId, firstHour, lastHour, keepsRows }: DataChange, hour: number): boolean {
  if (keepsRows) return true;
  if (websiteId === null || firstHour === undefined || lastHour === undefined) return false;
  return firstHour <= lastHour && (hour < firstHour || hour > lastHour);
}

describe('versions', () => {
  it('never stay or repeat when data changed, never fall, and stay for unchanged data', () => {
    fc.assert(
      fc.property(fc.array(someChange, { maxLength: 40 }), (changes) => {
        const versions = createDataVersions(() => NOW);
        const young = hours.filter((hour) => hour > NOW_HOUR - 29 * 24);
        const read = () => ({
          answers: websites.map((websiteId) => versions.versionOf(websiteId)!),
          hours: websites.map((websiteId) => hours.map((hour) => versions.hourVersionOf(websiteId, hour)!)),
        });
        const seen = [read()];
        for (const change of changes) {
          versions.raise([change]);
          const [before, after] = [seen.at(-1)!, read()];
          for (const [index, websiteId] of websites.entries()) {
            const isConcerned = concerns(change, websiteId);
            expect(after.answers[index] === before.answers[index]).toBe(!isConcerned);
            expect(seen.map(({ answers }) => answers[index])).not.toContain(
              isConcerned ? after.answers[index] : null,
            );
            for (const [at, hour] of hours.entries()) {
              const [old, now] = [before.hours[index]![at]!, after.hours[index]![at]!];
              if (isConcerned && !leavesHour(change, hour)) expect(now).toBeGreaterThan(old);
              else expect(now).toBeGreaterThanOrEqual(old);
              const isListed = young.includes(hour) && (change.lastHour ?? 0) - (change.firstHour ?? 0) < 24;
              if (isListed && !isConcerned) expect(now).toBe(old);
            }
          }
          seen.push(after);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it('of other hours stay when an insert names its hours, and those of all rise without hours', () => {
    const versions = createDataVersions(() => NOW);
    const read = () => [0, 1, 2].map((before) => versions.hourVersionOf('a', NOW_HOUR - before)!);
    const first = read();
    versions.raise([{ websiteId: 'a', firstHour: NOW_HOUR, lastHour: NOW_HOUR }]);
    const second = read();
    expect(second[0]).toBeGreaterThan(first[0]!);
    expect(second.slice(1)).toEqual(first.slice(1));
    versions.raise([{ websiteId: 'a' }]);
    for (const [index, version] of read().entries()) expect(version).toBeGreaterThan(second[index]!);
  });

  it('of a website with very many changed hours, and of very many websites, rise together', () => {
    const versions = createDataVersions(() => NOW);
    const version = () => versions.hourVersionOf('a', NOW_HOUR - 5)!;
    for (let hour = NOW_HOUR - 4_100; hour < NOW_HOUR - 100; hour += 2)
      versions.raise([{ websiteId: 'a', firstHour: hour, lastHour: hour }]);
    const before = version();
    versions.raise([{ websiteId: 'a', firstHour: NOW_HOUR - 50, lastHour: NOW_HOUR - 50 }]);
    const collapsed = version();
    expect(collapsed).toBeGreaterThan(before);
    for (let each = 0; each < 200_100; each++) versions.raise([{ websiteId: `w${each}`, keepsRows: true }]);
    expect(version()).toBeGreaterThan(collapsed);
    expect(Number(versions.versionOf('a'))).toBeGreaterThan(collapsed);
  });

  it('of hours rise every ten minutes from the first possible expiry of their rows on', () => {
    let now = NOW;
    const versions = createDataVersions(() => now);
    const [old, young] = [NOW_HOUR - 29 * 24, NOW_HOUR - 29 * 24 + 2];
    const before = [versions.hourVersionOf('a', old)!, versions.hourVersionOf('a', young)!] as const;
    now += 10 * MINUTE_MS - 1;
    expect(versions.hourVersionOf('a', old)).toBe(before[0]);
    now += 1;
    expect(versions.hourVersionOf('a', old)).toBeGreaterThan(before[0]);
    expect(versions.hourVersionOf('a', young)).toBe(before[1]);
    now += DAY_MS;
    expect(versions.hourVersionOf('a', young)).toBeGreaterThan(before[1]);
  });

  it('of hours with a known expiry rise from then on, and not before', () => {
    let now = NOW;
    const versions = createDataVersions(() => now);
    const [old, young] = [NOW_HOUR - 40 * 24, NOW_HOUR - 24];
    const later = () => versions.hourVersionOf('a', old, NOW + DAY_MS)!;
    const earlier = () => versions.hourVersionOf('a', young, NOW)!;
    const before = [later(), earlier()] as const;
    now += DAY_MS - 1;
    expect(later()).toBe(before[0]);
    expect(earlier()).toBeGreaterThan(before[1]);
    expect(versions.hourVersionOf('a', old)).toBeGreaterThan(before[0]);
    now += 1;
    expect(later()).toBeGreaterThan(before[0]);
  });

  it('of a part rise by its own changes alone', () => {
    const versions = createDataVersions(() => NOW);
    const read = () => [versions.versionOf('a', 'other_tables'), versions.versionOf('a', 'filled_hours')];
    const insertInto = (hour: number) =>
      versions.raise([{ websiteId: 'a', firstHour: hour, lastHour: hour }]);
    insertInto(NOW_HOUR);
    const [verdicts, filled] = read();
    insertInto(NOW_HOUR);
    expect(read()).toEqual([verdicts, filled]);
    versions.raise([{ websiteId: 'a', keepsRows: true }]);
    const judged = read();
    expect(judged).toEqual([expect.not.stringMatching(`^${verdicts}$`), filled]);
    insertInto(NOW_HOUR + 1);
    expect(read()).toEqual([judged[0], expect.not.stringMatching(`^${filled}$`)]);
    for (const websiteId of ['a', null]) {
      const before = read();
      versions.raise([{ websiteId }]);
      for (const [index, version] of read().entries()) expect(version).not.toBe(before[index]);
    }
  });

  it('are unknown for a process that can not follow writes', () => {
    expect(unknownVersions.versionOf('a')).toBeNull();
    expect(unknownVersions.hourVersionOf('a', 1)).toBeNull();
  });
});

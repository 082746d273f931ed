import { describe, expect, it } from 'vitest';
import { coveredDays, reportDays } from './report-days.js';

describe('a report has at first', () => {
  it.each([
    ['24h', 60, 7],
    ['30d', 60, 30],
    ['30d', null, 30],
    ['30d', 12, 12],
    ['90d', 3, 7],
    ['2026-11-01T00:00:00Z/2026-11-15T12:00:00Z', 60, 15],
    ['2025-01-01/2026-11-15', 400, 90],
    ['no-instant-at-all/no-instant-at-all', 60, 60],
  ] as const)('for the window %s, with logs of %s days: %i days', (period, covered, days) =>
    expect(reportDays(period, covered)).toBe(days),
  );

  it('only whole days of complete logs', () => {
    expect(coveredDays('2026-11-01T12:00:00Z', Date.parse('2026-11-08T11:00:00Z'))).toBe(6);
    expect(coveredDays(null)).toBeNull();
  });
});

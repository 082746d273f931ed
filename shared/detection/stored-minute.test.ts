import { expect, it } from 'vitest';
import { clientOf, minuteOf } from './signal.fixture.js';
import { storedMinute } from './stored-minute.js';

it('counts that an earlier release saved are read as without errors of clients, and others as they are', () => {
  const { status5xx, ...former } = clientOf({ requests: 3 });
  const now = minuteOf({ byClient: [clientOf({ status5xx: 2 })] });
  expect(storedMinute(now)).toBe(now);
  const stored = minuteOf({ byClient: [former as ReturnType<typeof clientOf>] });
  expect(storedMinute(stored).byClient).toEqual([clientOf({ requests: 3, status5xx: 0 })]);
});

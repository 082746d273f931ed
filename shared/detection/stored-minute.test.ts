import { expect, it } from 'vitest';
import { botOf, clientOf, minuteOf } from './signal.fixture.js';
import type { MinuteSignal } from './signal.js';
import { storedMinute } from './stored-minute.js';

it('counts that an earlier release saved are read as without errors of clients, and others as they are', () => {
  const { status5xx, ...former } = clientOf({ requests: 3 });
  const now = minuteOf({ byClient: [clientOf({ status5xx: 2 })] });
  expect(storedMinute(now)).toBe(now);
  const stored = minuteOf({ byClient: [former as ReturnType<typeof clientOf>] });
  expect(storedMinute(stored).byClient).toEqual([clientOf({ requests: 3, status5xx: 0 })]);
});

it('of counts that an earlier release saved, the list of bots tells what they met', () => {
  const now = minuteOf({ byBot: [botOf({ notFound: 1, rejected: 2, status5xx: 3 })] });
  const { botsNotFound, botsOther4xx, bots5xx, ...former } = now;
  expect([botsNotFound, botsOther4xx, bots5xx]).toEqual([1, 2, 3]);
  expect(storedMinute(former as MinuteSignal)).toEqual(now);
});

import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { LogUnavailableError } from '../../shared/event-log/event-log.js';
import { createMemoryEventLog } from '../../test/harness/memory-event-log.js';
import { type AppendWatch, watchAppends } from './watch-appends.js';

let watch: AppendWatch;
afterEach(() => watch.stop());

function open() {
  const memory = createMemoryEventLog(1);
  const away = { appends: false, answers: false };
  watch = watchAppends(
    {
      ...memory,
      append: async (topic, records) => {
        if (away.appends) throw new LogUnavailableError('away');
        return memory.append(topic, records);
      },
      offsets: async (topic) => {
        if (away.answers) throw new LogUnavailableError('away');
        return memory.offsets(topic);
      },
    },
    { logger: pino({ level: 'silent' }), everyMs: 10, retryMs: 10 },
  );
  const append = () => watch.log.append('requests.raw', [{ key: 'w', value: Buffer.of() }]);
  return { away, append };
}

test('a log that refused an append counts as not taking until it answers again', async () => {
  const { away, append } = open();
  await append();
  expect(watch.taking()).toBe(true);
  away.appends = true;
  away.answers = true;
  await expect(append()).rejects.toThrow(LogUnavailableError);
  expect(watch.taking()).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(watch.taking()).toBe(false);
  away.answers = false;
  await vi.waitFor(() => expect(watch.taking()).toBe(true));
});

test('a log that went away is noticed without an upload', async () => {
  const { away } = open();
  away.answers = true;
  await vi.waitFor(() => expect(watch.taking()).toBe(false));
});

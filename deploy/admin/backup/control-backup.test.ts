import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { openLmdbEventLog } from '../../embedded/log/lmdb-event-log.js';
import { backupLines, readBackupPage, restoreControlLog } from './control-backup.js';

async function linesOf(log: EventLog): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of backupLines((topic, from) => readBackupPage(log, topic, from))) lines.push(line);
  return lines;
}

async function filledLog() {
  const log = createMemoryEventLog(1);
  const { control } = await openTestPlane({ log: log as never });
  const { id } = granted(await control.execute({ type: 'createOrganisation', name: 'Shop' }, 'admin'));
  for (let index = 0; index < 20; index++)
    granted(await control.execute({ type: 'createApiKey', organisationId: id, name: `k${index}` }, 'admin'));
  await log.append('control.keys', [{ key: `${id}/a`, value: Buffer.alloc(32, 7) }]);
  return { log, control };
}

test('a back-up restored into an empty log returns the same state and records', async () => {
  const { log, control } = await filledLog();
  const lines = await linesOf(log);
  const directory = await mkdtemp(join(tmpdir(), 'loglane-backup-'));
  const open = () =>
    openLmdbEventLog({ directory, partitions: 1, maxBytes: 1e9, now: Date.now, schedule: () => () => {} });
  const restored = await open();
  expect(await restoreControlLog(restored, lines)).toBe(22);
  expect(await linesOf(restored)).toEqual(lines);
  const other = await openTestPlane({ log: restored as never });
  expect([...other.control.state().apiKeys.values()]).toEqual([...control.state().apiKeys.values()]);
  await other.control.close();
  await expect(restoreControlLog(restored, lines)).rejects.toThrow('is not empty');
  await restored.close();
  await rm(directory, { recursive: true });
});

test('a log longer than a page is copied completely', async () => {
  const log = createMemoryEventLog(1);
  const records = Array.from({ length: 4_500 }, (_, index) => ({
    key: 'k',
    value: Buffer.from(String(index)),
  }));
  await log.append('control.keys', records);
  const lines = await linesOf(log);
  expect(lines).toHaveLength(4_502);
  const values = lines.slice(1, -1).map((line) => Buffer.from(JSON.parse(line).value, 'base64').toString());
  expect(values).toEqual(records.map(({ value }) => value.toString()));
});

test('an incomplete or invalid back-up is refused, and nothing is written', async () => {
  const { log } = await filledLog();
  const lines = await linesOf(log);
  const bad: Record<string, string[]> = {
    'cut short': lines.slice(0, -1),
    'lacks a line': [...lines.slice(0, 5), ...lines.slice(6)],
    'no back-up': lines.slice(1),
    empty: [],
    'not JSON': [lines[0]!, 'x', ...lines.slice(2)],
    unreadable: [
      lines[0]!,
      lines[1]!,
      lines[2]!.replace(/"value":"[^"]*"/, '"value":"AAAA"'),
      ...lines.slice(3),
    ],
  };
  for (const [what, given] of Object.entries(bad)) {
    const empty = createMemoryEventLog(1);
    await expect(restoreControlLog(empty, given), what).rejects.toThrow("can't be restored");
    expect(empty.records('control.events')).toHaveLength(0);
    expect(empty.records('control.keys')).toHaveLength(0);
  }
});

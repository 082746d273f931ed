import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Export, ExportStatus } from '../../../shared/control/model.js';
import type { ControlState } from '../../../shared/control/state.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import { createCaretaker } from './look-after.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');

/** The keys that are left when all files were looked at. */
async function swept(
  keys: readonly string[],
  exports: readonly { id: string; status: ExportStatus; file: { key: string } | null }[],
  ageMs = 11 * MINUTE_MS,
): Promise<string[]> {
  const files = new Set(keys);
  const store: FileStore = {
    put: async () => {},
    stat: async () => null,
    open: async () => Readable.from([]),
    link: async () => '',
    async *list() {
      for (const key of [...files]) yield { key, bytes: 1, modifiedAt: NOW - ageMs };
    },
    remove: async (key) => void files.delete(key),
  };
  const state = {
    websites: new Map([['web_1', {}]]),
    exports: new Map(exports.map((each) => [each.id, each as Export])),
  } as unknown as ControlState;
  const caretaker = createCaretaker({
    control: { state: () => state, execute: () => Promise.reject(new Error('nothing is decided here')) },
    store,
    assignmentOf: () => ({ partition: 0, isReady: true, leaving: new AbortController() }),
    tell: async () => {},
    now: () => NOW,
  });
  await caretaker.sweep();
  return [...files];
}

const first = ['web_1/exports/exp_1/1/paths.csv', 'web_1/exports/exp_1/1/manifest.json'];
const second = ['web_1/exports/exp_1/2/paths.csv', 'web_1/exports/exp_1/2/manifest.json'];
const all = [...first, ...second];
const completed = { id: 'exp_1', status: 'completed', file: { key: second[0]! } } as const;

test('of a completed export its own attempt’s files stay, and those of attempts that ended with their process, or after it, go', async () => {
  expect(await swept(all, [completed])).toEqual(second);
});

test('an open one keeps what is there, one that came to nothing or is gone keeps nothing', async () => {
  expect(await swept(all, [{ ...completed, status: 'processing', file: null }])).toEqual(all);
  expect(await swept(all, [{ ...completed, status: 'cancelled', file: null }])).toEqual([]);
  expect(await swept(all, [])).toEqual([]);
});

test('what was just written stays: its record may be a moment behind', async () => {
  expect(await swept(all, [completed], MINUTE_MS)).toEqual(all);
});

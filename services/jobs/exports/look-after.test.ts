import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Export, ExportStatus } from '../../../shared/control/domain/model.js';
import type { ControlState } from '../../../shared/control/domain/state.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import { createCaretaker } from './look-after.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const open = new AbortController().signal;

/** The keys that are left after a sweep. */
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
    versions: new Map([
      ['website/web_1', 1],
      ['website/web_erased', 2],
    ]),
    exports: new Map(exports.map((each) => [each.id, each as Export])),
  } as unknown as ControlState;
  const caretaker = createCaretaker({
    control: { state: () => state, execute: () => Promise.reject(new Error('nothing is decided here')) },
    store,
    assignmentOf: () => ({ partition: 0, isReady: true, leaving: new AbortController() }),
    tell: async () => {},
    now: () => NOW,
  });
  await caretaker.sweep(open);
  return [...files];
}

const first = ['web_1/exports/exp_1/1/paths.csv', 'web_1/exports/exp_1/1/manifest.json'];
const second = ['web_1/exports/exp_1/2/paths.csv', 'web_1/exports/exp_1/2/manifest.json'];
const all = [...first, ...second];
const completed = { id: 'exp_1', status: 'completed', file: { key: second[0]! } } as const;

test('a completed export keeps the files of its own attempt, and those of dead or late attempts are removed', async () => {
  expect(await swept(all, [completed])).toEqual(second);
});

test('an open export keeps its files; a failed or erased one keeps none', async () => {
  expect(await swept(all, [{ ...completed, status: 'processing', file: null }])).toEqual(all);
  expect(await swept(all, [{ ...completed, status: 'cancelled', file: null }])).toEqual([]);
  expect(await swept(all, [])).toEqual([]);
});

test('a new file stays, as its record may arrive later', async () => {
  expect(await swept(all, [completed], MINUTE_MS)).toEqual(all);
});

test('files of other programs and installations stay; erased exports’ files are removed', async () => {
  const foreign = [
    'README.md',
    'backups/2026/db.tar',
    'web_other/exports/exp_1/1/a.csv',
    'web_other/requests/date=2026-11-21/requests.parquet',
    'web_1/requests/date=2026-11-21/requests.parquet',
    'web_1/exports/notes.txt',
    'web_1/exports/exp_9/by-hand.csv',
    'web_erased/notes.txt',
  ];
  const erased = ['web_erased/exports/exp_2/1/a.csv', 'web_erased/requests/date=2026-11-21/requests.parquet'];
  expect(await swept([...foreign, ...erased], [])).toEqual(foreign);
});

test('one sweep removes a bounded number of files', async () => {
  const many = Array.from({ length: 2_001 }, (_, at) => `web_1/exports/exp_${at}/1/a.csv`);
  await expect(swept(many, [])).rejects.toThrow('more than 2000 files');
});

/** Two exports; the notification for the first fails. */
function caretakerOf(over: readonly { id: string; completedAt: string }[]) {
  const done: string[] = [];
  const exports = new Map(
    over.map((each) => [
      each.id,
      { websiteId: 'web_1', status: 'completed', file: { key: `web_1/exports/${each.id}/2/a.csv` }, ...each },
    ]),
  );
  const caretaker = createCaretaker({
    control: {
      state: () => ({ exports }) as unknown as ControlState,
      execute: (async ({ type, exportId }: { type: string; exportId: string }) => {
        done.push(`${type} ${exportId}`);
        return { answer: {} };
      }) as never,
    },
    store: {
      async *list(prefix: string) {
        yield { key: `${prefix}1/a.csv`, bytes: 1, modifiedAt: 0 };
      },
      remove: async (key: string) => void done.push(`remove ${key}`),
    } as unknown as FileStore,
    assignmentOf: () => ({ partition: 0, isReady: true, leaving: new AbortController() }),
    tell: async ({ id }) => {
      if (id === 'exp_1') throw new Error('the store of messages is away');
      done.push(`tell ${id}`);
    },
    now: () => NOW,
  });
  return { caretaker, done };
}

test('a failed notification for one export delays no other and is reported', async () => {
  const { caretaker, done } = caretakerOf([
    { id: 'exp_1', completedAt: '2026-11-21T11:00:00Z' },
    { id: 'exp_2', completedAt: '2026-11-21T11:00:00Z' },
    { id: 'exp_3', completedAt: '2026-11-01T11:00:00Z' },
  ]);
  await expect(caretaker.lookAfter(open)).rejects.toThrow('messages');
  expect(done).toEqual(['tell exp_2', 'remove web_1/exports/exp_3/1/a.csv', 'expireExport exp_3']);
});

test('files of earlier attempts are removed even if notifications fail', async () => {
  const { caretaker, done } = caretakerOf([{ id: 'exp_1', completedAt: '2026-11-21T11:00:00Z' }]);
  await expect(caretaker.settle('exp_1', open)).rejects.toThrow('messages');
  expect(done).toEqual(['remove web_1/exports/exp_1/1/a.csv']);
});

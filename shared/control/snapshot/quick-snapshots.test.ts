import { expect, test } from 'vitest';
import { quickSnapshots } from './quick-snapshots.js';
import type { Snapshot } from './snapshot.js';

const never = <T>() => new Promise<T>(() => {});

async function* parts(...all: (string | null)[]) {
  for (const part of all) yield part ?? (await never<string>());
}

async function read(snapshot: Partial<Snapshot> | 'hangs'): Promise<string[]> {
  const store = quickSnapshots(
    {
      readNewest: () =>
        snapshot === 'hangs'
          ? never()
          : Promise.resolve({
              fingerprint: 'f',
              nextOffset: 1,
              lastDecision: 'd',
              parts: parts(),
              ...snapshot,
            }),
    },
    50,
  );
  const found: string[] = [];
  for await (const part of (await store.readNewest('f'))!.parts) found.push(part);
  return found;
}

test('a snapshot is read unchanged', async () => {
  expect(await read({ parts: parts('one', 'two') })).toEqual(['one', 'two']);
});

test('a store that does not answer, or stops answering, is not waited for', async () => {
  await expect(read('hangs')).rejects.toThrow('no answer within 50 ms');
  await expect(read({ parts: parts('one', null) })).rejects.toThrow('no answer within 50 ms');
});

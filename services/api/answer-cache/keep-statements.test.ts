import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ClickHouseReader, DataPart } from '../../../shared/store/client.js';
import { createDataVersions, unknownVersions } from './data-versions.js';
import { createStatementKeeper } from './keep-statements.js';

function countingReader(): ClickHouseReader & { reads: number } {
  const reader = {
    reads: 0,
    read: async () => {
      reader.reads += 1;
      return [{ since: reader.reads }] as never;
    },
  };
  return reader;
}

const question = (websiteId: string, part: DataPart | readonly number[] = 'everything') => ({
  name: 'q',
  sql: 'SELECT 1',
  params: { website_id: websiteId },
  row: z.object({ since: z.number() }),
  restsOn: typeof part === 'string' ? { websiteId, part } : { websiteId, hours: part },
});

describe('a statement that depends on one website alone', () => {
  it('is read once for all callers, until the data of the website changes', async () => {
    const versions = createDataVersions();
    const keep = createStatementKeeper(versions, () => 0);
    const reader = countingReader();
    expect(await keep(reader).read(question('a'))).toEqual([{ since: 1 }]);
    expect(await keep(reader).read(question('a'))).toEqual([{ since: 1 }]);
    versions.raise([{ websiteId: 'b' }]);
    expect(await keep(reader).read(question('a'))).toEqual([{ since: 1 }]);
    versions.raise([{ websiteId: 'a' }]);
    expect(await keep(reader).read(question('a'))).toEqual([{ since: 2 }]);
  });

  it('is not read again after an insert, if it depends on other tables alone', async () => {
    const versions = createDataVersions();
    const keep = createStatementKeeper(versions, () => 0);
    const reader = countingReader();
    await keep(reader).read(question('a', 'other_tables'));
    versions.raise([{ websiteId: 'a', firstHour: 1, lastHour: 1 }]);
    expect(await keep(reader).read(question('a', 'other_tables'))).toEqual([{ since: 1 }]);
    versions.raise([{ websiteId: 'a', keepsRows: true }]);
    expect(await keep(reader).read(question('a', 'other_tables'))).toEqual([{ since: 2 }]);
  });

  it('is read again only after a change of its hours or of other tables, if it depends on these', async () => {
    const versions = createDataVersions();
    const keep = createStatementKeeper(versions, () => 0);
    const reader = countingReader();
    const ofHours = () => keep(reader).read(question('a', [10, 11, 12]));
    const insert = (hour: number) => versions.raise([{ websiteId: 'a', firstHour: hour, lastHour: hour }]);
    await ofHours();
    for (const hour of [9, 13]) insert(hour);
    expect(await ofHours()).toEqual([{ since: 1 }]);
    for (const [times, hour] of [10, 11, 12].entries()) {
      insert(hour);
      expect(await ofHours()).toEqual([{ since: times + 2 }]);
    }
    versions.raise([{ websiteId: 'a', keepsRows: true }]);
    expect(await ofHours()).toEqual([{ since: 5 }]);
    versions.raise([{ websiteId: 'a' }]);
    expect(await ofHours()).toEqual([{ since: 6 }]);
  });

  it('is read again if its answer is too long to keep', async () => {
    const keep = createStatementKeeper(createDataVersions(), () => 0);
    const reader = countingReader();
    const ofLength = (characters: number) =>
      keep({
        read(query) {
          query.report?.({ rowsRead: 1, bytesRead: 1, elapsedSeconds: 0, characters });
          return reader.read(query);
        },
      });
    await ofLength(100_000).read(question('a'));
    expect(await ofLength(100).read(question('a'))).toEqual([{ since: 2 }]);
    expect(await ofLength(100).read(question('a'))).toEqual([{ since: 2 }]);
  });

  it('is another one for another website', async () => {
    const keep = createStatementKeeper(createDataVersions(), () => 0);
    const reader = countingReader();
    await keep(reader).read(question('a'));
    expect(await keep(reader).read(question('b'))).toEqual([{ since: 2 }]);
  });

  it('is read again after a change during the read', async () => {
    const versions = createDataVersions();
    const keep = createStatementKeeper(versions, () => 0);
    const reader = countingReader();
    const slow = keep({
      read: async (query) => {
        versions.raise([{ websiteId: 'a' }]);
        return reader.read(query);
      },
    });
    await slow.read(question('a'));
    expect(await keep(reader).read(question('a'))).toEqual([{ since: 2 }]);
  });

  it('is read again after a while, because rows expire without a notification', async () => {
    let at = 1;
    const keep = createStatementKeeper(createDataVersions(), () => at);
    const reader = countingReader();
    await keep(reader).read(question('a'));
    at += 11 * 60_000;
    expect(await keep(reader).read(question('a'))).toEqual([{ since: 2 }]);
  });
});

it('a statement without declared dependencies is read each time', async () => {
  const reader = countingReader();
  const keeping = createStatementKeeper(createDataVersions(), () => 0)(reader);
  await keeping.read({ ...question('a'), restsOn: undefined });
  await keeping.read({ ...question('a'), restsOn: undefined });
  expect(reader.reads).toBe(2);
});

it('a call can repeat a statement that failed', async () => {
  const reader = countingReader();
  let fails = true;
  const call = createStatementKeeper(
    createDataVersions(),
    () => 0,
  )({
    read: async (query) => {
      if (fails) throw new Error('too long');
      return reader.read(query);
    },
  });
  await expect(call.read(question('a'))).rejects.toThrow('too long');
  fails = false;
  expect(await call.read(question('a'))).toEqual([{ since: 1 }]);
});

describe('a statement in a process that can not know the writes of others', () => {
  it('is read once by each call, also at the same time', async () => {
    const reader = countingReader();
    const keep = createStatementKeeper(unknownVersions, () => 0);
    const call = keep(reader);
    expect(await Promise.all([call.read(question('a')), call.read(question('a'))])).toEqual([
      [{ since: 1 }],
      [{ since: 1 }],
    ]);
    expect(await keep(reader).read(question('a'))).toEqual([{ since: 2 }]);
  });
});

describe('a statement that depends on some hours', () => {
  const ofHours = { ...question('a'), restsOn: { websiteId: 'a', hours: [5, 7] } };

  it.each([
    ['is not read again', 'rows of another hour', { firstHour: 6, lastHour: 6 }, 1],
    ['is read again', 'rows of one of the hours', { firstHour: 6, lastHour: 7 }, 2],
    ['is read again', 'rows of unknown hours', {}, 2],
    ['is read again', 'a verdict', { keepsRows: true }, 2],
  ])('%s after a change of %s', async (_result, _change, change, reads) => {
    const versions = createDataVersions(() => 0);
    const keep = createStatementKeeper(versions, () => 0);
    const reader = countingReader();
    await keep(reader).read(ofHours);
    versions.raise([{ websiteId: 'a', ...change }]);
    expect(await keep(reader).read(ofHours)).toEqual([{ since: reads }]);
  });

  it('is read by each call if the process can not know the writes of others', async () => {
    const reader = countingReader();
    const keep = createStatementKeeper(unknownVersions, () => 0);
    await keep(reader).read(ofHours);
    expect(await keep(reader).read(ofHours)).toEqual([{ since: 2 }]);
  });
});

import { describe, expect, it, vi } from 'vitest';
import { StoreTimeoutError, StoreUnavailableError } from '../../../../shared/store/store-errors.js';
import { createTestApi } from '../../../../test/harness/api.js';
import { LONG_READ_MS } from '../../slow-reads/slow-reads.js';

/** A store whose search ends on command. */
function heldStore() {
  const queries: { name: string; timeoutMs: number | undefined }[] = [];
  let end: () => void = () => {};
  let failure: Error | null = null;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    queries,
    end,
    failWith(error: Error) {
      failure = error;
      end();
    },
    reader: {
      async read({ name, timeoutMs, scan }: { name: string; timeoutMs?: number; scan?: object }) {
        // The first try, which times out.
        if (scan === undefined) throw new StoreTimeoutError('too slow');
        if (name === 'requests.search') queries.push({ name, timeoutMs });
        await ended;
        if (failure !== null) throw failure;
        return [];
      },
    },
  };
}

describe('a search that finds its rows at once', () => {
  it('is an everyday read, and does not wait for scans', async () => {
    const scans: string[] = [];
    const test = await createTestApi({
      reader: {
        async read({ name, timeoutMs, scan }) {
          if (scan !== undefined) scans.push(name);
          expect(timeoutMs).toBe(1_000);
          return [];
        },
      },
    });
    expect((await test.read('/requests')).body).toMatchObject({ data_buffering: false, requests: [] });
    expect(scans).toEqual([]);
  });
});

describe('a search over its deadline', () => {
  it('answers data_buffering with nulls, and the same call later has the result of the one query', async () => {
    const store = heldStore();
    const test = await createTestApi({ reader: store.reader, readDeadlineMs: 10 });
    const first = await test.read('/requests?path=/shop&hours=720');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ data_buffering: true, requests: null, count: null });
    // The cursor of an unfinished answer leads to the rows that are still being read.
    expect(first.body.next_cursor).toEqual(expect.any(String));
    const again = await test.read('/requests?hours=720&path=/shop');
    expect(again.body.data_buffering).toBe(true);
    store.end();
    const finished = await test.read('/requests?path=/shop&hours=720');
    expect(finished.body).toMatchObject({ data_buffering: false, requests: [] });
    expect(store.queries).toEqual([{ name: 'requests.search', timeoutMs: LONG_READ_MS }]);
  });

  it('is a different call with other filters, another page or another website', async () => {
    const store = heldStore();
    const test = await createTestApi({ reader: store.reader, readDeadlineMs: 5 });
    for (const query of ['', '?status=404', '?page=2', '?limit=5', '?hours=25'])
      await test.read(`/requests${query}`);
    await test.request(`/public/v1/websites/${test.foreignWebsite.id}/requests`, { key: test.keys.foreign });
    // One search per organisation at a time: the others wait, each as its own query.
    expect(store.queries).toHaveLength(2);
    store.end();
    await vi.waitFor(() => expect(store.queries).toHaveLength(6));
  });

  it('reports a failed background query as a failure, not as an empty answer', async () => {
    const store = heldStore();
    const test = await createTestApi({ reader: store.reader, readDeadlineMs: 5 });
    expect((await test.read('/requests')).body.data_buffering).toBe(true);
    store.failWith(new StoreUnavailableError('gone'));
    expect((await test.read('/requests')).status).toBe(503);
  });
});

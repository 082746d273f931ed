import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../shared/durations.js';
import { LogUnavailableError } from '../../../shared/event-log/event-log.js';
import { createLimiter } from '../../../shared/pacing/limiter.js';
import { countRequests, decodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { MOST_BLOCK_REQUESTS } from '../../../shared/requests/raw-request.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { plainRequest } from '../../enricher/sink/plain-request.js';
import { createBlockAppender } from './append-blocks.js';

const NOW = 1_771_056_930_000;
const request = (target?: string) =>
  plainRequest({ timestamp: NOW, ...(target === undefined ? {} : { target }) });

function setUp({
  uploadsInFlight = 1,
  appends = createLimiter({ most: 16, isFirstFree: true }),
  now = () => NOW,
} = {}) {
  const log = createMemoryEventLog(1);
  const state = { failing: false, running: 0, most: 0 };
  let block = 0;
  const blocks = createBlockAppender({
    log: {
      ...log,
      async append(topic, records) {
        state.running++;
        state.most = Math.max(state.most, state.running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        state.running--;
        if (state.failing) throw new LogUnavailableError('away');
        return log.append(topic, records);
      },
    },
    appends,
    websiteId: 'w1',
    uploadId: 'u1',
    uploadKey: null,
    nextBlock: () => block++,
    now,
    uploadsInFlight: () => uploadsInFlight,
  });
  const sizes = () => log.records('requests.raw').map(({ value }) => countRequests(value));
  return { blocks, state, sizes, log };
}

async function add(
  blocks: ReturnType<typeof setUp>['blocks'],
  count: number,
  target?: string,
): Promise<void> {
  for (let index = 0; index < count; index++) {
    blocks.add(request(target), 'loglane');
    if (index % 100 === 99) await blocks.appendFull(0);
  }
}

describe('a block', () => {
  it('closes at the limit of requests, and at the limit of text', async () => {
    const { blocks, sizes } = setUp();
    await add(blocks, MOST_BLOCK_REQUESTS + 1);
    await blocks.finish();
    expect(sizes()).toEqual([MOST_BLOCK_REQUESTS, 1]);
    const long = setUp();
    await add(long.blocks, 100, `/${'x'.repeat(8_000)}`);
    await long.blocks.finish();
    expect(Math.max(...long.sizes())).toBeLessThan(70);
  });

  it('closes earlier if many uploads run, so that memory stays bounded', async () => {
    const { blocks, sizes } = setUp({ uploadsInFlight: 48 });
    await blocks.appendFull(0);
    await add(blocks, MOST_BLOCK_REQUESTS);
    await blocks.finish();
    expect(sizes()).toEqual([500, 500, 500, 500]);
  });

  it('closes after much input, even with few requests', async () => {
    const { blocks, sizes } = setUp();
    blocks.add(request(), 'loglane');
    await blocks.appendFull(3 * 1024 * 1024);
    blocks.add(request(), 'loglane');
    await blocks.finish();
    expect(sizes()).toEqual([1, 1]);
  });
});

describe('a request with a future timestamp', () => {
  const receivedAt = NOW;
  const timesInLog = async (timestamps: readonly number[]) => {
    const { blocks, log } = setUp({ now: () => receivedAt });
    for (const timestamp of timestamps) blocks.add(plainRequest({ timestamp }), 'loglane');
    await blocks.finish();
    const [block] = log.records('requests.raw').map(({ value }) => decodeRawBlock(value));
    return { receivedAt: block!.received_at, timestamps: block!.requests.map(({ timestamp }) => timestamp) };
  };

  it('gets the time of its receipt, and its neighbours keep theirs', async () => {
    expect(await timesInLog([receivedAt - 1, receivedAt + 1, receivedAt, receivedAt + DAY_MS])).toEqual({
      receivedAt,
      timestamps: [receivedAt - 1, receivedAt, receivedAt, receivedAt],
    });
  });
});

describe('appends', () => {
  it('never exceed the limiter over all uploads', async () => {
    const appends = createLimiter({ most: 2, isFirstFree: true });
    const uploads = [setUp({ appends }), setUp({ appends }), setUp({ appends })];
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(
        most,
        uploads.reduce((sum, { state }) => sum + state.running, 0),
      );
    }, 1);
    await Promise.all(
      uploads.map(async ({ blocks }) => {
        await add(blocks, 5 * MOST_BLOCK_REQUESTS);
        await blocks.finish();
      }),
    );
    clearInterval(watch);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    expect(uploads.map(({ blocks }) => blocks.accepted)).toEqual(Array(3).fill(5 * MOST_BLOCK_REQUESTS));
  });

  it('that fail stop the upload, free their places, and count only requests in the log', async () => {
    const appends = createLimiter({ most: 1, isFirstFree: true });
    const { blocks, state } = setUp({ appends });
    await add(blocks, MOST_BLOCK_REQUESTS);
    await blocks.settle();
    state.failing = true;
    await expect(
      (async () => {
        await add(blocks, 3 * MOST_BLOCK_REQUESTS);
        await blocks.finish();
      })(),
    ).rejects.toThrow(LogUnavailableError);
    await blocks.settle();
    expect(blocks.accepted).toBe(MOST_BLOCK_REQUESTS);
    await Promise.race([
      appends.enter('w1'),
      new Promise((_, reject) => setTimeout(() => reject(new Error('the limiter stayed shut')), 500)),
    ]);
  });
});

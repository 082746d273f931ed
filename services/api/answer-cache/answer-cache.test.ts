import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/durations.js';
import { runs } from '../../../test/harness/runs.js';
import { type AnswerCache, CallerGoneError, createAnswerCache, type MadeAnswer } from './answer-cache.js';
import { createDataVersions, unknownVersions } from './data-versions.js';
import { encodedBody } from './encoded-body.js';

const made = (text: string, keep = true): MadeAnswer => ({ body: encodedBody(text), keep });
const textOf = ({ body }: MadeAnswer) => body.plain.toString();

/** A cache with runs that end on command; each answers its own number. */
function setUp({ versions = createDataVersions(), maxBytes = 1_000_000 } = {}) {
  const cache: AnswerCache = createAnswerCache({ versions, maxBytes });
  const runs: { signal: AbortSignal; end(answer?: MadeAnswer): void; fail(error: Error): void }[] = [];
  let now = 1_000_000;
  const ask = (
    key: string,
    { signal = new AbortController().signal, until = Number.POSITIVE_INFINITY, websiteId = 'web_1' } = {},
  ) =>
    cache.answer({ key, websiteId, until, now, signal }, (ending) => {
      const number = runs.length + 1;
      return new Promise((resolve, reject) => {
        runs.push({
          signal: ending,
          end: (answer = made(`run ${number}`)) => resolve(answer),
          fail: reject,
        });
      });
    });
  /** Makes a call and ends its run at once, if it starts one. */
  const askAndEnd = async (key: string, options?: Parameters<typeof ask>[1]) => {
    const before = runs.length;
    const asked = ask(key, options);
    await Promise.resolve();
    if (runs.length > before) runs.at(-1)!.end();
    return textOf(await asked);
  };
  return { versions, runs, ask, askAndEnd, advance: (ms: number) => (now += ms) };
}

describe('a cached answer', () => {
  it('serves only equal calls, until the data changes', async () => {
    const { askAndEnd, advance } = setUp();
    expect(await askAndEnd('a')).toBe('run 1');
    advance(9 * MINUTE_MS);
    expect(await askAndEnd('a')).toBe('run 1');
    expect(await askAndEnd('b')).toBe('run 2');
  });

  it('is dropped when the data of its website changes, but not for other websites', async () => {
    const { versions, askAndEnd } = setUp();
    await askAndEnd('a');
    versions.raise([{ websiteId: 'web_2' }]);
    expect(await askAndEnd('a')).toBe('run 1');
    versions.raise([{ websiteId: 'web_1' }]);
    expect(await askAndEnd('a')).toBe('run 2');
    versions.raise([{ websiteId: null }]);
    expect(await askAndEnd('a')).toBe('run 3');
  });

  it('is never one whose data changed during the read', async () => {
    const { versions, runs, ask, askAndEnd } = setUp();
    const first = ask('a');
    await Promise.resolve();
    versions.raise([{ websiteId: 'web_1' }]);
    runs[0]!.end();
    expect(textOf(await first)).toBe('run 1');
    expect(await askAndEnd('a')).toBe('run 2');
  });

  it('of a window that moves is served until then, and a run is shared until then', async () => {
    const { runs, ask, askAndEnd, advance } = setUp();
    const first = ask('a', { until: 1_010_000 });
    advance(4_000);
    runs[0]!.end();
    await first;
    advance(5_999);
    expect(await askAndEnd('a', { until: 1_010_000 })).toBe('run 1');
    advance(1);
    const second = ask('a', { until: 1_020_000 });
    advance(9_999);
    const joined = ask('a', { until: 1_020_000 });
    advance(1);
    const third = ask('a', { until: 1_030_000 });
    for (const run of runs) run.end();
    expect(await Promise.all([second, joined, third].map(async (made) => textOf(await made)))).toEqual([
      'run 2',
      'run 2',
      'run 3',
    ]);
  });

  it('is served for at most ten minutes, because rows expire without a notification', async () => {
    const { askAndEnd, advance } = setUp();
    await askAndEnd('a');
    advance(10 * MINUTE_MS);
    expect(await askAndEnd('a')).toBe('run 2');
  });

  it('is served for a second if the process can not know the stored data', async () => {
    const { askAndEnd, advance } = setUp({ versions: unknownVersions as never });
    await askAndEnd('a');
    advance(999);
    expect(await askAndEnd('a')).toBe('run 1');
    advance(1);
    expect(await askAndEnd('a')).toBe('run 2');
  });

  it('counts as old after the clock was set back', async () => {
    const { askAndEnd, advance } = setUp();
    await askAndEnd('a');
    advance(-1);
    expect(await askAndEnd('a')).toBe('run 2');
  });

  it('is never a failure, nor an answer marked as temporary', async () => {
    const { runs, ask, askAndEnd } = setUp();
    const failing = ask('a');
    runs[0]!.fail(new Error('broken'));
    await expect(failing).rejects.toThrow('broken');
    const buffering = ask('a');
    runs[1]!.end(made('buffering', false));
    expect(textOf(await buffering)).toBe('buffering');
    expect(await askAndEnd('a')).toBe('run 3');
  });

  it('makes room for newer ones, so that the total stays within the limit', async () => {
    const { runs, ask, askAndEnd } = setUp({ maxBytes: 100_000 });
    const keep = async (key: string, bytes: number) => {
      const asked = ask(key);
      runs.at(-1)!.end(made('x'.repeat(bytes)));
      await asked;
    };
    for (let each = 0; each < 40; each++) await keep(`key ${each}`, 5_000);
    const before = runs.length;
    expect(await askAndEnd('key 39')).toMatch(/^x/);
    expect(runs.length).toBe(before);
    expect(await askAndEnd('key 0')).toMatch(/^run/);
    // An answer that would push out all others is not cached.
    await keep('large', 20_000);
    expect(await askAndEnd('large')).toMatch(/^run/);
  });
});

describe('calls at the same time', () => {
  it('share one run', async () => {
    const { runs, ask } = setUp();
    const asked = [ask('a'), ask('a'), ask('a')];
    expect(runs).toHaveLength(1);
    runs[0]!.end();
    expect((await Promise.all(asked)).map(textOf)).toEqual(['run 1', 'run 1', 'run 1']);
  });

  it('share its failure, and the next call starts a new run', async () => {
    const { runs, ask, askAndEnd } = setUp();
    const asked = [ask('a'), ask('a')];
    runs[0]!.fail(new Error('broken'));
    for (const one of asked) await expect(one).rejects.toThrow('broken');
    expect(await askAndEnd('a')).toBe('run 2');
  });

  it('that begin after a change do not join an older run, and its answer does not replace theirs', async () => {
    const { versions, runs, ask, askAndEnd } = setUp();
    const before = ask('a');
    versions.raise([{ websiteId: 'web_1' }]);
    const after = ask('a');
    expect(runs).toHaveLength(2);
    runs[1]!.end();
    expect(textOf(await after)).toBe('run 2');
    runs[0]!.end();
    expect(textOf(await before)).toBe('run 1');
    expect(await askAndEnd('a')).toBe('run 2');
  });

  it('keep their run when one caller disconnects, and end it when all have disconnected', async () => {
    const { runs, ask, askAndEnd } = setUp();
    const [first, second] = [new AbortController(), new AbortController()];
    const asked = [ask('a', { signal: first.signal }), ask('a', { signal: second.signal })];
    first.abort();
    await expect(asked[0]).rejects.toThrow(CallerGoneError);
    expect(runs[0]!.signal.aborted).toBe(false);
    second.abort();
    await expect(asked[1]).rejects.toThrow(CallerGoneError);
    expect(runs[0]!.signal.aborted).toBe(true);
    // No call joins an aborted run.
    expect(await askAndEnd('a')).toBe('run 2');
  });

  it('end the other statements of a failed run', async () => {
    const { runs, ask, askAndEnd } = setUp();
    const asked = ask('a');
    await Promise.resolve();
    runs[0]!.fail(new Error('one of its statements'));
    await expect(asked).rejects.toThrow('one of its statements');
    expect(runs[0]!.signal.aborted).toBe(true);
    expect(await askAndEnd('a')).toBe('run 2');
  });

  it('never see data older than the last change before their call, in any order of events', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('ask' as const), leaves: fc.boolean() }),
      fc.record({ kind: fc.constant('change' as const) }),
      fc.record({ kind: fc.constant('end' as const), index: fc.nat(5) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const versions = createDataVersions();
        const cache = createAnswerCache({ versions, maxBytes: 1_000_000 });
        let data = 0;
        const open: (() => void)[] = [];
        const checks: Promise<void>[] = [];
        for (const { kind, ...rest } of steps) {
          if (kind === 'change') {
            data += 1;
            versions.raise([{ websiteId: 'web_1' }]);
          } else if (kind === 'end') {
            open.splice((rest as { index: number }).index, 1)[0]?.();
            await new Promise((turn) => setImmediate(turn));
          } else {
            const asked = data;
            const caller = new AbortController();
            const call = { key: 'a', websiteId: 'web_1', now: 0, signal: caller.signal };
            const answer = cache.answer(call, () => {
              const seen = data;
              return new Promise((resolve) => open.push(() => resolve(made(String(seen)))));
            });
            checks.push(
              answer.then(
                (got) => expect(Number(textOf(got))).toBeGreaterThanOrEqual(asked),
                (error) => expect(error).toBeInstanceOf(CallerGoneError),
              ),
            );
            if ((rest as { leaves: boolean }).leaves) caller.abort();
          }
        }
        for (const end of open) end();
        await Promise.all(checks);
      }),
      { numRuns: runs(200) },
    );
  });
});

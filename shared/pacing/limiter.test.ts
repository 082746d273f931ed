import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createLimiter, type LimiterOptions } from './limiter.js';

function setUp(options: LimiterOptions) {
  const limiter = createLimiter(options);
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (owner: string, name = owner, signal?: AbortSignal) =>
    limiter.run(
      owner,
      () => {
        running.push(name);
        return new Promise<string>((end) => ends.set(name, () => end(name)));
      },
      signal,
    );
  const end = async (name: string) => {
    running.splice(running.indexOf(name), 1);
    ends.get(name)?.();
    await tick();
  };
  return { limiter, start, end, running };
}

describe('work beyond the limit', () => {
  it('waits, and the longest waiting is next', async () => {
    const { start, end, running } = setUp({ most: 2 });
    const all = ['a', 'b', 'c', 'd'].map((name) => start('', name));
    await tick();
    expect(running).toEqual(['a', 'b']);
    await end('b');
    expect(running).toEqual(['a', 'c']);
    await end('a');
    expect(running).toEqual(['c', 'd']);
    await end('c');
    await end('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('of several owners runs one of each before a second of any', async () => {
    const { start, end, running } = setUp({ most: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) void start(name[0]!, name);
    const order: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await tick();
      order.push(running[0]!);
      await end(running[0]!);
    }
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('of one owner waits for its own limit, and others pass it', async () => {
    const { start, end, running } = setUp({ most: 2, mostOfOwner: 1 });
    for (const name of ['a1', 'a2', 'b1']) void start(name[0]!, name);
    await tick();
    expect(running).toEqual(['a1', 'b1']);
    await end('b1');
    expect(running).toEqual(['a1']);
    await end('a1');
    expect(running).toEqual(['a2']);
  });

  it('never waits if its owner has a reserved place and no other work', async () => {
    const { start, end, running } = setUp({ most: 2, isFirstFree: true });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void start(name[0]!, name);
    await tick();
    expect(running).toEqual(['a1', 'a2', 'b1']);
    // A place beyond the total limit is not passed on.
    await end('b1');
    expect(running).toEqual(['a1', 'a2', 'b2']);
    await end('b2');
    expect(running).toEqual(['a1', 'a2']);
  });

  it('leaves the queue when its signal fires, and never runs', async () => {
    const { limiter, start, end, running } = setUp({ most: 1, waiting: { total: 2, mostOfOwner: 2 } });
    const lost = new AbortController();
    void start('', 'a');
    const waiting = start('', 'b', lost.signal);
    void start('', 'c');
    lost.abort(new Error('lost'));
    await expect(waiting).rejects.toThrow('lost');
    await expect(start('', 'd', lost.signal)).rejects.toThrow('lost');
    expect(limiter.waitingOf('')).toBe(1);
    await end('a');
    expect(running).toEqual(['c']);
  });

  it("is refused beyond its owner's share of the queue; a new owner is not", async () => {
    const { start } = setUp({
      most: 1,
      waiting: { total: 4, mostOfOwner: 3 },
      full: (owner) => new Error(`full ${owner}`),
    });
    for (let n = 0; n < 4; n++) void start('greedy', `g${n}`);
    await expect(start('greedy')).rejects.toThrow('full greedy');
    for (let n = 0; n < 10; n++) {
      void start(`other ${n}`);
      await expect(start('greedy')).rejects.toThrow('full greedy');
    }
    await expect(start('other 3')).rejects.toThrow('full other 3');
  });

  it('gets the place of failed work', async () => {
    const { limiter, start, running } = setUp({ most: 1 });
    await expect(limiter.run('', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    void start('', 'next');
    await tick();
    expect(running).toEqual(['next']);
  });
});

test('a place that is released twice is free once', () => {
  const { limiter } = setUp({ most: 2 });
  const first = limiter.tryEnter('a')!;
  limiter.tryEnter('a');
  expect(limiter.tryEnter('a')).toBeNull();
  first();
  first();
  expect(limiter.tryEnter('b')).not.toBeNull();
  expect(limiter.tryEnter('b')).toBeNull();
});

type Step = { readonly do: 'enter' | 'try' | 'leave' | 'abort'; readonly owner: string; readonly at: number };

test('in any sequence limits hold, nobody waits while it may enter, and all finally enter', async () => {
  const owner = fc.constantFrom('a', 'b', 'c', 'd');
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom('enter', 'enter', 'try', 'leave', 'abort'),
    owner,
    at: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      fc.array(step, { maxLength: 60 }),
      async (most, mostOfOwner, isFirstFree, steps) => {
        const limiter = createLimiter({ most, mostOfOwner, isFirstFree });
        const inside: { owner: string; leave: () => void }[] = [];
        const waiting = new Set<{ owner: string; gone: AbortController }>();
        const own = (of: string) => inside.filter((one) => one.owner === of).length;
        for (const { do: action, owner: of, at } of steps) {
          if (action === 'try') {
            const leave = limiter.tryEnter(of);
            if (leave !== null) inside.push({ owner: of, leave });
          } else if (action === 'enter') {
            const one = { owner: of, gone: new AbortController() };
            waiting.add(one);
            limiter.enter(of, one.gone.signal).then(
              (leave) => waiting.delete(one) && inside.push({ owner: of, leave }),
              () => waiting.delete(one),
            );
          } else if (action === 'leave') inside.splice(at, 1)[0]?.leave();
          else [...waiting][at]?.gone.abort(new Error('gone'));
          await tick();
          expect(limiter.taken()).toBe(inside.length);
          for (const each of ['a', 'b', 'c', 'd']) {
            expect(own(each)).toBeLessThanOrEqual(mostOfOwner);
            const lines = [...waiting].filter((one) => one.owner === each);
            expect(limiter.waitingOf(each)).toBe(lines.length);
            const isFree = inside.length < most || (isFirstFree && own(each) === 0);
            if (isFree && own(each) < mostOfOwner) expect(lines).toEqual([]);
          }
          if (!isFirstFree) expect(inside.length).toBeLessThanOrEqual(most);
        }
        for (let left = inside.shift(); left !== undefined; left = inside.shift()) {
          left.leave();
          await tick();
        }
        expect([waiting.size, limiter.taken()]).toEqual([0, 0]);
      },
    ),
    { numRuns: 50 },
  );
});

import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchWebsite } from '../pipeline/websites.js';
import type { Call } from './calls.js';
import { costsNow, type ReadTarget, type RowCosts } from './costs.js';
import { createAsker, figuresOf, type ReadFigures } from './measure.js';

export interface OfferedOptions {
  readonly callsPerSecond: number;
  readonly seconds: number;
  /** Uncounted, at the same rate. */
  readonly warmUpSeconds: number;
  readonly ofRow: RowCosts;
}

/** More calls are not sent before others have their answers; their time counts from the moment when they are due. */
const MOST_OPEN = 512;

/** Makes calls at a fixed rate, whether or not earlier ones have their answers. */
export async function measureOffered(
  target: ReadTarget,
  websites: readonly BenchWebsite[],
  next: () => Call,
  { callsPerSecond, seconds, warmUpSeconds, ofRow }: OfferedOptions,
): Promise<ReadFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_OPEN });
  const ask = createAsker(target, websites, next, agent);
  const offer = async (duration: number) => {
    const times: number[] = [];
    let failed = 0;
    const open: Promise<void>[] = [];
    const started = performance.now();
    for (let call = 0; call < duration * callsPerSecond; call++) {
      const due = started + (call / callsPerSecond) * 1000;
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait);
      const late = Math.max(0, performance.now() - due);
      const answered = ask().then(({ status, ms }) => {
        if (status === 200) times.push(late + ms);
        else failed++;
      });
      open.push(answered);
    }
    await Promise.all(open);
    return { times, failed, elapsed: (performance.now() - started) / 1000 };
  };
  await offer(warmUpSeconds);
  const before = await costsNow(target);
  const offered = await offer(seconds);
  const after = await costsNow(target);
  agent.destroy();
  return figuresOf({ ...offered, before, after, ofRow });
}

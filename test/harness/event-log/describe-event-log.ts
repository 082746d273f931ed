import fc from 'fast-check';
import { afterEach, beforeEach, describe, it, vi } from 'vitest';
import { describeAppend } from './append.js';
import { describeConsume } from './consume.js';
import { describeGroup } from './group.js';
import { followHistory, histories, type LogUnderTest } from './model.js';
import { startReader } from './reader.js';
import { describeTail } from './tail.js';
import { RAW, type World } from './world.js';

export interface BehaviourOptions {
  /** Longest wait for an expected event, including a rebalance. */
  readonly patienceMs?: number;
  /** How long to watch for an event that must not occur. */
  readonly quietMs?: number;
  /** Random histories in the model test. */
  readonly modelRuns?: number;
}

/** The guarantees of every implementation of the port. */
export function describeEventLog(
  name: string,
  open: () => Promise<LogUnderTest>,
  { patienceMs = 5_000, quietMs = 100, modelRuns = 25 }: BehaviourOptions = {},
): void {
  describe(`${name}: an event log`, () => {
    let subject: LogUnderTest;
    let log: LogUnderTest['log'];
    const eventually = <T>(check: () => T | Promise<T>) =>
      vi.waitFor(check, { timeout: patienceMs, interval: 5 });
    const world: World = {
      get log() {
        return log;
      },
      async reopen() {
        log = await subject.reopen();
      },
      eventually,
      quiet: () => new Promise((resolve) => setTimeout(resolve, quietMs)),
      reader: (group, topic = RAW) => startReader(log, { topic, group }),
      patienceMs,
    };

    beforeEach(async () => {
      subject = await open();
      log = subject.log;
    });
    afterEach(() => subject.destroy());

    describeAppend(world);
    describeConsume(world);
    describeGroup(world);
    describeTail(world);

    it('agrees with lists in memory over random appends, commits and restarts', async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          await subject.destroy();
          subject = await open();
          await followHistory(subject, history, eventually);
        }),
        { numRuns: modelRuns },
      );
    });
  });
}

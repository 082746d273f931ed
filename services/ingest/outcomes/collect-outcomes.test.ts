import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import type { UploadOutcome } from '../../../shared/uploads/upload-outcome.js';
import type { UploadsRecord } from '../../../shared/uploads/uploads-codec.js';
import { createOutcomes } from './collect-outcomes.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');

function world() {
  let now = NOON;
  const outcomes = createOutcomes({ replicaId: 'r1', now: () => now });
  return {
    outcomes,
    pass(ms: number) {
      now += ms;
    },
    send(outcome: Partial<UploadOutcome> = {}, websiteId = 'w1') {
      const usual = { kind: 'taken', source: 'combined', reason: '', accepted: 5, rejected: 0, skipped: 0 };
      const rejection = outcome.rejected ? { line: 2, reason: 'no time' } : null;
      outcomes.note(websiteId, { at: now, ...usual, ...outcome } as UploadOutcome, rejection);
    },
    report() {
      const record = outcomes.due(false);
      if (record !== null) outcomes.markReported(record);
      return record?.websites ?? [];
    },
  };
}

describe('a website’s uploads are reported', () => {
  it('at once, then once a minute while outcomes are of the same kind', () => {
    const { send, pass, report } = world();
    send();
    expect(report()).toMatchObject([{ websiteId: 'w1', counts: { taken: 1, accepted: 5 } }]);
    for (let second = 1; second < 60; second += 1) {
      pass(SECOND_MS);
      send();
      expect(report()).toEqual([]);
    }
    pass(SECOND_MS);
    expect(report()).toMatchObject([{ counts: { taken: 60, accepted: 300 } }]);
    expect(report()).toEqual([]);
  });

  it('to the listener in the process, each at once', () => {
    const heard: number[] = [];
    const onUploads = ({ websites }: UploadsRecord) => heard.push(websites[0]!.counts.accepted);
    const outcomes = createOutcomes({ replicaId: 'r1', now: () => NOON, onUploads });
    const outcome = { at: NOON, kind: 'taken', source: null, reason: '', rejected: 0, skipped: 0 } as const;
    for (const accepted of [5, 7]) outcomes.note('w1', { ...outcome, accepted }, null);
    expect(heard).toEqual([5, 12]);
  });

  it('within a second after an outcome of another kind', () => {
    const { send, pass, report } = world();
    send();
    report();
    pass(SECOND_MS);
    send({ rejected: 3 });
    expect(report()).toMatchObject([{ lastRejection: { line: 2, reason: 'no time', source: 'combined' } }]);
    pass(SECOND_MS);
    send({ kind: 'refused', reason: 'Too large.', accepted: 0 });
    expect(report()).toMatchObject([{ counts: { taken: 2, refused: 1 }, last: { reason: 'Too large.' } }]);
  });

  it('for the last time after the end of the hour, and then forgotten', () => {
    const { outcomes, send, pass, report } = world();
    send();
    report();
    send();
    pass(HOUR_MS);
    send();
    expect(report().map(({ hourStart, counts }) => [hourStart, counts.taken])).toEqual([
      [NOON, 2],
      [NOON + HOUR_MS, 1],
    ]);
    expect(outcomes.due(true)).toBeNull();
  });

  it('in records of bounded size, with reasons of bounded length', () => {
    const { send, report } = world();
    for (let website = 0; website < 450; website += 1)
      send({ reason: 'x'.repeat(100_000), kind: 'refused' }, `w${website}`);
    const records = [report(), report(), report(), report()];
    expect(records.map((websites) => websites.length)).toEqual([200, 200, 50, 0]);
    expect(records[0]![0]!.last.reason.length).toBeLessThan(310);
  });

  it('again after the log was away, with the outcomes since then', () => {
    const { outcomes, send, pass, report } = world();
    send();
    expect(outcomes.due(false)).not.toBeNull();
    send();
    pass(MINUTE_MS);
    expect(report()).toMatchObject([{ counts: { taken: 2 } }]);
  });
});

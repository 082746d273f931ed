import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { UploadOutcome } from '../../../shared/uploads/upload-outcome.js';
import type { UploadsRecord } from '../../../shared/uploads/uploads-codec.js';
import { decodeUploads, encodeUploads } from '../../../shared/uploads/uploads-codec.js';
import { createOutcomes } from '../../ingest/outcomes/collect-outcomes.js';
import { createKnownUploads } from './known-uploads.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');

const upload = fc.record({
  minute: fc.integer({ min: 0, max: 300 }),
  replica: fc.integer({ min: 0, max: 2 }),
  website: fc.constantFrom('w1', 'w2', '__proto__'),
  kind: fc.constantFrom('taken', 'refused', 'failed', 'aborted'),
  source: fc.constantFrom(null, 'combined', 'constructor'),
  reason: fc.string(),
  accepted: fc.nat(1_000),
  rejected: fc.nat(1_000),
  skipped: fc.nat(1_000),
});

describe('upload records of ingest', () => {
  it('add up to the sent uploads, in any order and despite repeats', () => {
    fc.assert(
      fc.property(fc.array(upload, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (uploads, picks) => {
        let now = NOON;
        const replicas = [0, 1, 2].map((id) => createOutcomes({ replicaId: `r${id}`, now: () => now }));
        const published: UploadsRecord[] = [];
        const sorted = [...uploads].sort((one, other) => one.minute - other.minute);
        const tell = (all: boolean) => {
          for (const replica of replicas)
            for (let record = replica.due(all); record !== null; record = replica.due(all)) {
              published.push(decodeUploads(encodeUploads(record)));
              replica.markReported(record);
            }
        };
        for (const { minute, replica, website, ...outcome } of sorted) {
          now = NOON + minute * MINUTE_MS;
          const rejection = outcome.rejected > 0 ? { line: 3, reason: outcome.reason } : null;
          replicas[replica]!.note(website, { at: now, ...outcome } as UploadOutcome, rejection);
          tell(false);
        }
        tell(true);
        const known = createKnownUploads();
        const shuffled = [...published, ...published].map((record) => [picks.next().value, record] as const);
        for (const [, record] of shuffled.sort(([one], [other]) => one - other)) known.merge(record, now);
        for (const website of ['w1', 'w2', '__proto__']) {
          const own = sorted.filter((each) => each.website === website);
          const sum = (of: (each: (typeof own)[number]) => number) =>
            own.reduce((total, each) => total + of(each), 0);
          const { counts, last, lastRejection } = known.recent(website, now);
          expect(counts).toEqual({
            taken: sum(({ kind }) => (kind === 'taken' ? 1 : 0)),
            refused: sum(({ kind }) => (kind === 'taken' ? 0 : 1)),
            accepted: sum(({ accepted }) => accepted),
            rejected: sum(({ rejected }) => rejected),
            skipped: sum(({ skipped }) => skipped),
          });
          expect(last?.at ?? null).toBe(own.length === 0 ? null : NOON + own.at(-1)!.minute * MINUTE_MS);
          const rejecting = own.filter(({ rejected }) => rejected > 0).at(-1);
          expect(lastRejection?.at ?? null).toBe(
            rejecting === undefined ? null : NOON + rejecting.minute * MINUTE_MS,
          );
        }
      }),
    );
  });

  it('keep the last recognised source, also after empty uploads', () => {
    const replica = createOutcomes({ replicaId: 'r', now: () => NOON });
    const known = createKnownUploads();
    const upload = (accepted: number, source: string | null, at: number) => {
      const counts = { accepted, rejected: 0, skipped: 0 };
      replica.note('w1', { at, kind: 'taken', source, reason: '', ...counts }, null);
      known.merge(replica.due(true)!, NOON);
    };
    upload(3, 'vercel', NOON);
    upload(0, null, NOON + 1_000);
    const { last, lastRead, lastAcceptedAt } = known.recent('w1', NOON + 2_000);
    expect([last?.source, lastRead?.source, lastAcceptedAt]).toEqual([null, 'vercel', NOON]);
  });

  it('are dropped after 24 clock hours', () => {
    const replica = createOutcomes({ replicaId: 'r', now: () => NOON });
    const none = { accepted: 1, rejected: 0, skipped: 0, source: null, reason: '' };
    replica.note('w1', { at: NOON, kind: 'taken', ...none }, null);
    const known = createKnownUploads();
    known.merge(replica.due(false)!, NOON);
    expect(known.recent('w1', NOON + 24 * HOUR_MS - 1).counts.accepted).toBe(1);
    expect(known.recent('w1', NOON + 24 * HOUR_MS)).toMatchObject({ last: null, counts: { accepted: 0 } });
    known.merge(replica.due(true)!, NOON + 24 * HOUR_MS);
    expect(known.recent('w1', NOON + 23 * HOUR_MS).last).toBeNull();
  });

  it('take little memory for each website, replica and hour of the day', () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const websites = 1_000;
    const replicas = ['r1', 'r2'];
    const known = createKnownUploads();
    const none = { rejected: 0, skipped: 0, source: 'combined', reason: '' };
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let hour = 0; hour < 24; hour += 1)
      for (const replicaId of replicas) {
        const at = NOON + hour * HOUR_MS;
        const replica = createOutcomes({ replicaId, now: () => at });
        for (let website = 0; website < websites; website += 1)
          replica.note(`web_${website}`, { at, kind: 'taken', accepted: 5, ...none }, null);
        for (let record = replica.due(true); record !== null; record = replica.due(true)) {
          known.merge(decodeUploads(encodeUploads(record)), at);
          replica.markReported(record);
        }
      }
    collect();
    const each = (process.memoryUsage().heapUsed - before) / (websites * replicas.length * 24);
    expect(known.recent('web_7', NOON + 23 * HOUR_MS).counts.accepted).toBe(5 * 2 * 24);
    expect(each).toBeLessThan(220);
  });
});

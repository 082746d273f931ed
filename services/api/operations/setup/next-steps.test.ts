import { describe, expect, it } from 'vitest';
import {
  type LineRejection,
  noUploads,
  type UploadOutcome,
} from '../../../../shared/uploads/upload-outcome.js';
import { nextSteps, type SetupFacts } from './next-steps.js';

const AT = Date.parse('2026-11-21T11:59:00Z');
const waiting: SetupFacts = {
  state: 'waiting',
  websiteId: 'web_1',
  lastReceivedDate: null,
  recent: { counts: noUploads, last: null, lastRejection: null, lastAcceptedAt: null, lastRead: null },
  isPending: false,
  ingestUrl: 'https://ingest.example/v1/logs',
  guideUrl: 'https://api.example/guides/fastly',
  isGuideKnown: true,
};
const receiving: SetupFacts = { ...waiting, state: 'receiving', lastReceivedDate: '2026-11-21' };
const rejection: LineRejection = { at: AT, source: 'haproxy', line: 7, reason: 'timestamp: not a time: "x"' };

function stepsAfter(
  facts: SetupFacts,
  outcome: Partial<UploadOutcome>,
  {
    rejected = null,
    counts = {},
  }: { rejected?: LineRejection | null; counts?: Partial<typeof noUploads> } = {},
): string {
  const usual = {
    at: AT,
    kind: 'taken',
    source: 'haproxy',
    reason: '',
    accepted: 0,
    rejected: 0,
    skipped: 0,
  };
  const last = { ...usual, ...outcome } as UploadOutcome;
  const sums = {
    ...noUploads,
    accepted: last.accepted,
    rejected: last.rejected,
    skipped: last.skipped,
    ...counts,
  };
  const recent = { counts: sums, last, lastRejection: rejected, lastAcceptedAt: null, lastRead: last };
  return nextSteps({ ...facts, recent }).join('\n');
}

describe('the next step', () => {
  it('before the first upload is the guide, or a file by hand', () => {
    const steps = nextSteps(waiting).join('\n');
    expect(steps).toContain(waiting.guideUrl);
    expect(steps).toContain(`curl "${waiting.ingestUrl}"`);
  });

  it('for an unknown platform is to choose a guide, and no platform is named', () => {
    const facts = { ...waiting, guideUrl: 'https://api.example/guides', isGuideKnown: false };
    expect(nextSteps(facts)[0]).toBe(
      'Choose the guide of your server, CDN or log shipper at https://api.example/guides. It has the settings to paste.',
    );
  });

  it.each(['waiting', 'stale'] as const)(
    'while the first lines are being stored is to wait (%s)',
    (state) => {
      const steps = nextSteps({ ...waiting, state, lastReceivedDate: '2026-11-01', isPending: true }).join(
        '\n',
      );
      expect(steps).toContain('Requests have just arrived');
      expect(steps).not.toContain(waiting.guideUrl);
    },
  );

  it('after a refused upload contains the error of its sender', () => {
    const steps = stepsAfter(waiting, { kind: 'refused', reason: 'Content-Type x is not supported.' });
    expect(steps).toContain('Content-Type x is not supported.');
    expect(steps).toContain(waiting.guideUrl);
  });

  it('after a failed upload is to repeat it, after one that was cut off to check the sender', () => {
    expect(stepsAfter(receiving, { kind: 'failed', reason: 'The hour’s quota is used up.' })).toMatch(
      /quota.*repeat/,
    );
    expect(stepsAfter(receiving, { kind: 'aborted' })).toContain('cut off');
  });

  it('for rejected lines contains the last reason and the number of lines', () => {
    const all = stepsAfter(waiting, { rejected: 40 }, { rejected: rejection });
    expect(all).toContain('All 40 lines');
    expect(all).toContain('line 7');
    expect(all).toContain(rejection.reason);
    const some = stepsAfter(receiving, { accepted: 90, rejected: 10 }, { rejected: rejection });
    expect(some).toContain('10 of 100 lines');
  });

  it('with few rejected lines, or none since, is to begin', () => {
    expect(stepsAfter(receiving, { accepted: 990, rejected: 10 }, { rejected: rejection })).toMatch(
      /^Logs arrive/,
    );
    const mended = { rejected: rejection, counts: { accepted: 10, rejected: 40 } };
    expect(stepsAfter(receiving, { accepted: 10 }, mended)).toMatch(/^Logs arrive/);
  });

  it('after many refused uploads before the last one reports them after the first step', () => {
    const uploads = (taken: number, refused: number) =>
      stepsAfter(receiving, { accepted: 10 }, { counts: { taken, refused } });
    expect(uploads(43, 6)).toMatch(/^Logs arrive.*\n6 of 49 uploads.*not taken/);
    expect(uploads(1_000, 6)).not.toContain('not taken');
    expect(uploads(10, 0)).not.toContain('not taken');
  });

  it('if all lines were skipped, or uploads are empty, is another selection', () => {
    expect(stepsAfter(waiting, { skipped: 12 })).toContain('All 12 lines');
    expect(stepsAfter(waiting, {})).toContain('empty');
  });

  it('after the first upload is to wait for its rows', () => {
    expect(stepsAfter(waiting, { accepted: 3 })).toContain('have just arrived');
  });
});

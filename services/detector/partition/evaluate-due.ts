import type { Alert } from '../../../shared/alerts/alert.js';
import type { Logger } from '../../../shared/log.js';
import type { StoredHealthPoint } from '../../../shared/queries/health-points.js';
import type { GiveTurn } from '../../../shared/turns.js';
import type { Circumstances, DetectorCore } from '../core.js';
import type { ClosedInterval } from '../evaluate-website.js';
import type { DetectorMetrics } from '../metrics.js';
import { closeNext } from '../signals/website-signals.js';
import { FORGOTTEN_MS } from './load-partition.js';
import type { TrackedWebsite } from './tracked-website.js';
import type { Outcome } from './write-outcome.js';

export interface EvaluationDependencies<State> {
  readonly core: Pick<DetectorCore<State>, 'closeInterval'>;
  circumstancesOf(websiteId: string): Circumstances;
  isErased(websiteId: string): boolean;
  now(): number;
  readonly metrics: Pick<DetectorMetrics, 'evaluations' | 'failedEvaluations'>;
  readonly logger: Logger;
  readonly giveTurn: GiveTurn;
  /** Told how many intervals with requests were closed. */
  onClosed(filled: number): void;
}

/** Intervals that are judged before what they led to is written: some points of health each. */
const AT_ONCE = 500;

/** Closes and judges what is due in a partition, a bounded piece at a time. */
export function createEvaluation<State>(deps: EvaluationDependencies<State>) {
  const { core, metrics, logger } = deps;

  /** @returns null where a rule failed: the interval then has no findings. */
  function judge(website: TrackedWebsite<State>, interval: ClosedInterval, circumstances: Circumstances) {
    metrics.evaluations.inc();
    try {
      return core.closeInterval(website.state, interval, circumstances);
    } catch (error) {
      metrics.failedEvaluations.inc();
      logger.error(
        { err: error, website_id: website.id, start: interval.start },
        'an interval was not judged',
      );
      return null;
    }
  }

  /** @returns how many intervals were closed, at most `most`. */
  function closeDue(
    website: TrackedWebsite<State>,
    { through, isPressed, most }: { through: number; isPressed: boolean; most: number },
    into: { alerts: Alert[]; health: StoredHealthPoint[] },
  ): number {
    const before = website.signals.open.size;
    let circumstances: Circumstances | null = null;
    let closed = 0;
    while (closed < most) {
      const interval = closeNext(website.signals, through, { isPressed });
      if (interval === null) break;
      closed += 1;
      circumstances ??= deps.circumstancesOf(website.id);
      const evaluation = judge(website, interval, circumstances);
      if (evaluation === null) continue;
      into.alerts.push(...evaluation.alerts);
      for (const point of evaluation.health) into.health.push({ ...point, websiteId: website.id });
    }
    if (closed > 0) website.isChanged = true;
    deps.onClosed(before - website.signals.open.size);
    return closed;
  }

  const isForgotten = ({ id, signals }: TrackedWebsite<State>) =>
    deps.isErased(id) ||
    // 0: its first signal is being counted.
    (signals.delivery.storedAt > 0 && deps.now() - signals.delivery.storedAt >= FORGOTTEN_MS);

  return {
    /** @returns what was found; not done: there is more to close. */
    async evaluate(
      websites: Map<string, TrackedWebsite<State>>,
      through: number,
      isPressed: boolean,
    ): Promise<{ readonly outcome: Outcome; readonly isDone: boolean }> {
      const outcome = { alerts: [] as Alert[], health: [] as StoredHealthPoint[] };
      let left = AT_ONCE;
      for (const website of [...websites.values()]) {
        if (isForgotten(website)) {
          websites.delete(website.id);
          deps.onClosed(website.signals.open.size);
          continue;
        }
        left -= closeDue(website, { through, isPressed, most: left }, outcome);
        if (left === 0) return { outcome, isDone: false };
        await deps.giveTurn();
      }
      return { outcome, isDone: true };
    },
  };
}

import type { Alert } from '../../../shared/alerts/alert.js';
import type { Logger } from '../../../shared/log.js';
import type { StoredHealthPoint } from '../../../shared/queries/health-points.js';
import type { GiveTurn } from '../../../shared/turns.js';
import type { Circumstances } from '../circumstances.js';
import type { DetectorCore } from '../core.js';
import type { ClosedInterval } from '../evaluate-website.js';
import type { DetectorMetrics } from '../metrics.js';
import { closeFilled, closeNext } from '../signals/website-signals.js';
import { FORGOTTEN_MS } from './load-partition.js';
import { counting, type OpenIntervals } from './open-intervals.js';
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
  /** Of the partition's websites; brought up to date. */
  readonly open: OpenIntervals;
  /** What there is no room for: intervals that are not due are closed until it is null. */
  shortOf(): 'intervals' | 'weight' | null;
}

interface Found {
  readonly alerts: Alert[];
  readonly health: StoredHealthPoint[];
}

/** Intervals that are judged before what they led to is written: some points of health each; */
const AT_ONCE = 500;
/** or alerts, of which whoever makes up names and addresses can have some dozen an interval. */
const ALERTS_AT_ONCE = 1_000;

export interface CountedTimes {
  /** Up to when everything is counted (signals/progress.ts). */
  readonly through: number;
  /** The newest moment of which anything is counted. */
  readonly counted: number;
}

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

  /** @param next closes the next one, while there is one. @returns how many intervals were closed, at most `most`. */
  function closeSome(
    website: TrackedWebsite<State>,
    { next, most }: { next: () => ClosedInterval | null; most: number },
    into: Found,
  ): number {
    let circumstances: Circumstances | null = null;
    let closed = 0;
    while (closed < most && into.alerts.length < ALERTS_AT_ONCE) {
      const interval = counting(deps.open, website, next);
      if (interval === null) break;
      closed += 1;
      circumstances ??= deps.circumstancesOf(website.id);
      const evaluation = judge(website, interval, circumstances);
      if (evaluation === null) continue;
      into.alerts.push(...evaluation.alerts);
      for (const point of evaluation.health) into.health.push({ ...point, websiteId: website.id });
    }
    if (closed > 0) website.isChanged = true;
    return closed;
  }

  const isForgotten = ({ id, signals }: TrackedWebsite<State>) =>
    deps.isErased(id) ||
    // 0: its first signal is being counted.
    (signals.delivery.storedAt > 0 && deps.now() - signals.delivery.storedAt >= FORGOTTEN_MS);

  /** The fullest first, and no further than there is need. @returns how many more may be closed at once. */
  async function press(
    websites: Iterable<TrackedWebsite<State>>,
    counted: number,
    { most, into }: { most: number; into: Found },
  ): Promise<number> {
    let left = most;
    const lacking = deps.shortOf();
    if (lacking === null) return left;
    const held = ({ signals }: TrackedWebsite<State>) =>
      lacking === 'weight' ? signals.openWeight : signals.open.size;
    const fullestFirst = [...websites].sort((a, b) => held(b) - held(a));
    for (const website of fullestFirst) {
      if (left <= 0 || deps.shortOf() === null) break;
      const next = () => (deps.shortOf() === null ? null : closeFilled(website.signals, counted));
      left -= closeSome(website, { next, most: left }, into);
      await deps.giveTurn();
    }
    return left;
  }

  return {
    /**
     * What is due is closed; where memory is short, intervals with requests are closed besides that are not due.
     * @returns what was found; not done: there is more to close.
     */
    async evaluate(
      websites: Map<string, TrackedWebsite<State>>,
      { through, counted }: CountedTimes,
    ): Promise<{ readonly outcome: Outcome; readonly isDone: boolean }> {
      const outcome: Found = { alerts: [], health: [] };
      const isFull = () => outcome.alerts.length >= ALERTS_AT_ONCE;
      let left = AT_ONCE;
      for (const website of [...websites.values()]) {
        if (isForgotten(website)) {
          websites.delete(website.id);
          deps.open.count -= website.signals.open.size;
          deps.open.weight -= website.signals.openWeight;
          continue;
        }
        const next = () => closeNext(website.signals, through);
        left -= closeSome(website, { next, most: left }, outcome);
        if (left === 0 || isFull()) return { outcome, isDone: false };
        await deps.giveTurn();
      }
      left = await press(websites.values(), counted, { most: left, into: outcome });
      return { outcome, isDone: left > 0 && !isFull() };
    },
  };
}

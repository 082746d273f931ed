import type { Alert } from '../../../shared/alerts/alert.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { GiveTurn } from '../../../shared/pacing/turns.js';
import type { StoredHealthPoint } from '../../../shared/reads/health/health-points.js';
import {
  beginClosing,
  type Due,
  dueNow,
  intervalsOf,
  isBeginning,
  restartEvaluation,
} from '../arrivals/website-arrivals.js';

import type { Circumstances } from '../evaluation/circumstances.js';
import type { DetectorCore } from '../evaluation/core.js';
import type { DetectorStore } from '../tables/detector-store.js';
import type { DetectorMetrics } from './detector-metrics.js';
import { keepTrying, type Trying } from './keep-trying.js';
import type { LearnedStates } from './learned-states.js';
import { type Run, runTogether } from './run-together.js';
import { FORGOTTEN_MS, type TrackedWebsite } from './tracked-website.js';
import type { Outcome } from './write-outcome.js';

/** Intervals that are evaluated together, over all websites. Their counts are in memory. */
const AT_ONCE = 120;
/** Most intervals of one website among them: two hours. */
const MOST_OF_WEBSITE = 24;

export interface EvaluationDependencies<State> {
  readonly core: Pick<DetectorCore<State>, 'evaluateInterval'>;
  readonly store: Pick<DetectorStore, 'counts' | 'removeAlerts'>;
  /** @throws StaleAssignmentError if the partition has another owner */
  checkOwner(): Promise<void>;
  readonly states: Pick<LearnedStates<State>, 'load' | 'drop'>;
  circumstancesOf(websiteId: string): Circumstances;
  isErased(websiteId: string): boolean;
  now(): number;
  readonly trying: Trying;
  readonly metrics: Pick<DetectorMetrics, 'evaluations' | 'failedEvaluations'>;
  readonly logger: Logger;
  readonly giveTurn: GiveTurn;
}

export interface Evaluated<State> extends Outcome {
  /** The resulting states. Save them after the other results are written. */
  readonly states: ReadonlyMap<string, State>;
  /** False: more intervals are due. */
  readonly isDone: boolean;
}

interface DueWebsite {
  readonly website: TrackedWebsite;
  readonly due: Due;
}

/** Evaluates the due intervals of a partition, one bounded piece per call. */
export function createEvaluation<State>(deps: EvaluationDependencies<State>) {
  const { core, metrics, logger, trying } = deps;

  const isForgotten = ({ id, arrivals }: TrackedWebsite) =>
    deps.isErased(id) || deps.now() - arrivals.punctuality.storedAt >= FORGOTTEN_MS;

  /** Websites with live logs come first: an import of weeks must not delay an incident. */
  async function dueWebsites(websites: Map<string, TrackedWebsite>, through: number): Promise<DueWebsite[]> {
    const all: DueWebsite[] = [];
    for (const website of [...websites.values()]) {
      if (isForgotten(website)) {
        websites.delete(website.id);
        deps.states.drop(website.id);
        continue;
      }
      const due = dueNow(website.arrivals, through, MOST_OF_WEBSITE);
      if (due !== null) all.push({ website, due });
      await deps.giveTurn();
    }
    return all.sort(
      (a, b) => Number(a.due.isImported) - Number(b.due.isImported) || a.due.start - b.due.start,
    );
  }

  /** Removes alerts that were raised from incomplete logs. An alert that is found again has the same id. */
  async function removeEarlier(websites: readonly TrackedWebsite[]): Promise<void> {
    for (const { id, arrivals } of websites) {
      if (arrivals.renewal === null || !isBeginning(arrivals)) continue;
      const since = arrivals.renewal.from;
      await keepTrying(async () => {
        await deps.checkOwner();
        await deps.store.removeAlerts({ websiteId: id, since });
      }, trying);
    }
  }

  return {
    /**
     * Restarts websites whose older logs were imported. Save their arrivals before they are evaluated: the
     * next owner must restart them too.
     * @returns those websites
     */
    restartEvaluations(websites: Map<string, TrackedWebsite>, through: number): TrackedWebsite[] {
      const restarted = [...websites.values()].filter(
        (website) => !isForgotten(website) && restartEvaluation(website.arrivals, through),
      );
      // Their alerts will be found again.
      for (const website of restarted) website.adopted = [];
      return restarted;
    },
    /** @throws PartitionLeftError */
    async evaluate(websites: Map<string, TrackedWebsite>, through: number): Promise<Evaluated<State>> {
      const all = await dueWebsites(websites, through);
      const some = firstOf(all);
      const alerts: Alert[] = [];
      const health: StoredHealthPoint[] = [];
      await removeEarlier(some.map(({ website }) => website));
      const states = await deps.states.load(some.map(({ website }) => website));
      const runs = some.map(({ website, due }): Run => {
        const { id, arrivals } = website;
        const state = states.get(id)!;
        const circumstances = deps.circumstancesOf(id);
        beginClosing(arrivals, due);
        website.isChanged = true;
        return {
          websiteId: id,
          intervals: intervalsOf(due, through),
          evaluate: (interval) => core.evaluateInterval(state, interval, circumstances),
          onEvaluated(evaluation, { start }) {
            metrics.evaluations.inc();
            alerts.push(...evaluation.alerts);
            // An earlier owner evaluated this interval, and late requests may have arrived since.
            if (evaluation.health.length === 0) arrivals.changed.add(start);
            for (const point of evaluation.health) health.push({ ...point, websiteId: id });
          },
          onFailed(error, { start }) {
            metrics.failedEvaluations.inc();
            logger.error({ err: error, website_id: id, start }, 'an interval was not evaluated');
          },
        };
      });
      const read = (spans: Parameters<typeof deps.store.counts>[0]) =>
        keepTrying(() => deps.store.counts(spans), trying);
      await runTogether(runs, read, deps.giveTurn);
      return { alerts, health, states, isDone: some.length === all.length && !some.some(isCut) };
    },
  };
}

/** The first websites, at least one, with at most {@link AT_ONCE} intervals together. */
function firstOf(all: readonly DueWebsite[]): readonly DueWebsite[] {
  let intervals = 0;
  const end = all.findIndex(({ due }) => {
    intervals += lengthOf(due);
    return intervals > AT_ONCE;
  });
  return end < 0 ? all : all.slice(0, Math.max(1, end));
}

/** Whether the website may have more due intervals. */
const isCut = ({ due }: DueWebsite) => lengthOf(due) >= MOST_OF_WEBSITE;

const lengthOf = ({ start, end }: Due) => (end - start) / INTERVAL_MS;

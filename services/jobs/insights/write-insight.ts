import { HOUR_MS } from '../../../shared/durations.js';
import type { Logger } from '../../../shared/logging/log.js';
import { scopeOfFilters } from '../../../shared/reads/insights/insight-filters.js';
import { insightIdOf } from '../../../shared/reads/insights/insight-key.js';
import { insertInsight } from '../../../shared/reads/insights/insight-rows.js';
import type { Scope } from '../../../shared/reads/sql/scope.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import type { LanguageModel } from '../language-model/language-model.js';
import { BudgetSpentError, withinBudget } from './budget.js';
import { converse } from './converse.js';
import type { InsightMetrics } from './insight-metrics.js';
import { pageTools, tools } from './tools.js';

export interface InsightOrder {
  readonly website: { readonly id: string; readonly domain: string };
  readonly page: string;
  /** Canonical. */
  readonly filters: string;
}

export interface WriterDeps {
  readonly clickhouse: ClickHouse;
  readonly model: LanguageModel;
  readonly tokensPerDay: number;
  readonly metrics: InsightMetrics;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly signal: AbortSignal;
}

/** The result; any error is a failure. */
export type InsightOutcome = 'written' | 'discarded' | 'over_budget';

/** The window of an insight: whole hours in the past, so reads with the same start and end return the same figures. */
export function windowOf(hours: number, now: number): Scope['window'] {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS;
  return { start: end - hours * HOUR_MS, end };
}

/** UTC, `2026-11-22`. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/**
 * Lets the model write an insight and stores it. It replaces the insight of the same day, page and filters.
 * @throws ModelError; PublicError for filters without insights; as the store; the signal's reason
 */
export async function writeInsight(order: InsightOrder, deps: WriterDeps): Promise<InsightOutcome> {
  const { metrics, logger } = deps;
  try {
    const outcome = await write(order, deps);
    metrics.insights.inc({ outcome });
    return outcome;
  } catch (error) {
    if (!(error instanceof BudgetSpentError)) {
      metrics.insights.inc({ outcome: 'failed' });
      throw error;
    }
    metrics.insights.inc({ outcome: 'over_budget' });
    logger.warn(
      { website_id: order.website.id },
      'the token budget of the day is spent: no insight is written',
    );
    return 'over_budget';
  }
}

async function write({ website, page, filters }: InsightOrder, deps: WriterDeps) {
  const { clickhouse, model, metrics, logger, now, signal } = deps;
  const { hours, filters: narrowed } = scopeOfFilters(filters);
  const createdAt = now();
  const day = dayOf(createdAt);
  const window = windowOf(hours, createdAt);
  const ask = withinBudget({
    ...deps,
    websiteId: website.id,
    day,
    onTokens({ input, output }) {
      metrics.tokens.inc({ model: model.name, direction: 'input' }, input);
      metrics.tokens.inc({ model: model.name, direction: 'output' }, output);
    },
  });
  const toSeconds = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
  const written = await converse({
    ask,
    assignment: {
      ...{ domain: website.domain, page, filters, hours },
      ...{ start: toSeconds(window.start), end: toSeconds(window.end) },
    },
    tools: page === '/' ? tools : pageTools,
    scope: {
      reader: clickhouse,
      scope: { websiteId: website.id, window, filters: narrowed },
      ...{ page, now: createdAt },
    },
    signal,
  });
  if (written.content === null) {
    // Without the problems' texts, which may come from strangers. Their number is enough.
    logger.warn({ website_id: website.id, problems: written.problems.length }, 'an insight was discarded');
    return 'discarded' as const;
  }
  const key = { websiteId: website.id, page, filters };
  await insertInsight(clickhouse, {
    ...key,
    id: insightIdOf(key, day),
    period: window,
    content: written.content,
    toolsUsed: written.toolsUsed,
    model: model.name,
    inputTokens: written.inputTokens,
    outputTokens: written.outputTokens,
    createdAt,
  });
  return 'written' as const;
}

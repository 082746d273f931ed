import { MINUTE_MS } from '../durations.js';

/** What a website's health is told by (spec §4.9). Counts, but for `latency`: milliseconds on average. */
export const healthMetrics = ['traffic', 'errors', 'bots', 'crawlers', 'not_found', 'latency'] as const;
export type HealthMetric = (typeof healthMetrics)[number];

/** Spec §3.9. */
export const healthStatuses = ['normal', 'warning', 'critical', 'insufficient_data'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

/** Spec §3.9. */
export const maturities = ['building', 'warming_up', 'mature'] as const;
export type Maturity = (typeof maturities)[number];

/** Intervals that the detector counts in; frequencies of families are multiples of it. */
export const INTERVAL_MINUTES = 5;
export const INTERVAL_MS = INTERVAL_MINUTES * MINUTE_MS;

/**
 * Deviations from what is expected up to which a metric is normal. Of independent normal windows 3.5 is passed once in 2,150 on either
 * side, which is once a week of 5-minute windows.
 */
export const WARNING_Z = 3.5;

import { MINUTE_MS } from '../durations.js';

/** Metrics of a website's health (spec §4.9). All are counts except `latency`, an average in milliseconds. */
export const healthMetrics = ['traffic', 'errors', 'bots', 'crawlers', 'not_found', 'latency'] as const;
export type HealthMetric = (typeof healthMetrics)[number];

/** Spec §3.9. */
export const healthStatuses = ['normal', 'warning', 'critical', 'insufficient_data'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

/** Spec §3.9. */
export const maturities = ['building', 'warming_up', 'mature'] as const;
export type Maturity = (typeof maturities)[number];

/** Interval of the detector's counts. Frequencies of families are multiples of it. */
export const INTERVAL_MINUTES = 5;
export const INTERVAL_MS = INTERVAL_MINUTES * MINUTE_MS;

/**
 * Up to this deviation from the expected value a metric is normal. A normal window exceeds 3.5 in either direction once
 * in 2,150: once a week for 5-minute windows.
 */
export const WARNING_Z = 3.5;

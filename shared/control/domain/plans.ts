import type { Organisation } from './model.js';
import { isTrialRunning } from './trial.js';

/** All plans of organisations (spec §2.3, §8). */

/** `starter`: the operations that spec §4 marks "Starter and above". */
export type PlanFeature = 'starter';

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  readonly priceMonthlyUsd: number;
  /** Length of the trial without a card (spec §8: 14 days); 0: none. */
  readonly trialDays: number;
  /** API calls an hour for the whole organisation; null: no API access (spec §5 rule 7). */
  readonly hourlyApiLimit: number | null;
  /** Days for which request logs and their rollups are kept. */
  readonly retentionDays: number;
  /** Rows, and bytes of uploads after decompression, that each website may send in a clock hour (UTC). */
  readonly rowsPerHour: number;
  readonly bytesPerHour: number;
  /** URLs accepted from the sitemaps of each website; repeated ones count each time. */
  readonly listedUrls: number;
  /** Offered to everyone; a legacy plan stays only with its present customers. */
  readonly public: boolean;
  readonly features: readonly PlanFeature[];
}

// From Growth on, 400 days: a whole year and the month before it, so that the longest window of a read (8,760 hours) is
// always full. Unlimited also has the previous year.
const starter = ['starter'] as const;
// The limits of a website bound one customer's load on the shared store. A paid plan's limit is far above the traffic
// of a typical site. Basic: a million rows are 280 requests a second for an hour. Only a fault or an attack reaches the
// limit, and a backfill of months takes hours. Free accepts a small site's day within one hour.
// Bytes: some 2 KiB a row, as in the largest Logpush records.
// URLs: each may be 2 KiB long and is kept for two months, for any number of websites. The protocol's largest file has
// 50,000. No website is read beyond sitemapLimits.urls (shared/sitemaps/limits.ts).
const GIB = 1024 ** 3;
// biome-ignore format: a table is read by its columns
const table = [
  // id            name                     USD  trial  per hour  retention      rows/hour  bytes/hour   listed URLs  public  features
  ['free',         'Free',                    0,     0,     null,        30,       100_000,  GIB / 4,          10_000,  true,  []     ],
  ['basic',        'Basic',                  19,    14,       50,        90,     1_000_000,  2 * GIB,          50_000,  true,  []     ],
  ['starter',      'Starter',                49,    14,      100,       180,     5_000_000,  10 * GIB,        100_000,  true,  starter],
  ['growth',       'Growth',                149,    14,      500,       400,    25_000_000,  50 * GIB,        500_000,  true,  starter],
  ['scale',        'Scale',                 399,    14,    2_000,       400,   250_000_000,  500 * GIB,     1_000_000,  true,  starter],
  ['unlimited',    'Unlimited',             999,    14,   10_000,       800, 1_000_000_000,  2_000 * GIB,   1_000_000,  true,  starter],
  ['professional', 'Professional (legacy)', 149,     0,      500,       400,    25_000_000,  50 * GIB,        500_000,  false, starter],
  ['enterprise',   'Enterprise (legacy)',   399,     0,    2_000,       400,   250_000_000,  500 * GIB,     1_000_000,  false, starter],
] as const;

export const plans: readonly Plan[] = table.map(
  ([
    id,
    name,
    priceMonthlyUsd,
    trialDays,
    hourlyApiLimit,
    retentionDays,
    rows,
    bytes,
    listedUrls,
    isPublic,
    features,
  ]) => ({
    id,
    name,
    priceMonthlyUsd,
    trialDays,
    hourlyApiLimit,
    retentionDays,
    rowsPerHour: rows,
    bytesPerHour: bytes,
    listedUrls,
    public: isPublic,
    features,
  }),
);

export type PlanId = (typeof table)[number][0];

export const planIds: readonly PlanId[] = table.map(([id]) => id);

const planById = new Map<string, Plan>(plans.map((plan) => [plan.id, plan]));

export function findPlan(planId: string): Plan | undefined {
  return planById.get(planId);
}

/**
 * The plan at `now` (milliseconds since the epoch): that of a running trial, else the bought or set one. A trial
 * therefore ends by itself, everywhere at the same time.
 * @throws Error for an unknown plan: limits are never guessed.
 */
export function planOf(organisation: Organisation, now: number): Plan {
  const planId = isTrialRunning(organisation, now) ? organisation.trial!.planId : organisation.planId;
  const plan = planById.get(planId);
  if (plan === undefined)
    throw new Error(`organisation ${organisation.id} is on the unknown plan "${planId}"`);
  return plan;
}

/** Whether checkout and trials accept the plan. */
export function isPurchasable(plan: Plan): boolean {
  return plan.public && plan.priceMonthlyUsd > 0;
}

import type { Organisation } from './model.js';
import { isTrialRunning } from './trial.js';

/** Every plan that an organisation may be on (spec §2.3, §8). */

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
  /** Days that request logs and their rollups are kept. */
  readonly retentionDays: number;
  /** Offered to everyone; a legacy plan stays only with those who have it. */
  readonly public: boolean;
  readonly features: readonly PlanFeature[];
}

// From Growth on, 400 days: a whole year and the month before it, so that the longest window of a read
// (8,760 hours) is always full; Unlimited holds the year before beside it.
const starter = ['starter'] as const;
// biome-ignore format: a table is read by its columns
const table = [
  // id            name                     USD  trial  per hour  retention  public  features
  ['free',         'Free',                    0,     0,     null,        30,   true,  []     ],
  ['basic',        'Basic',                  19,    14,       50,        90,   true,  []     ],
  ['starter',      'Starter',                49,    14,      100,       180,   true,  starter],
  ['growth',       'Growth',                149,    14,      500,       400,   true,  starter],
  ['scale',        'Scale',                 399,    14,    2_000,       400,   true,  starter],
  ['unlimited',    'Unlimited',             999,    14,   10_000,       800,   true,  starter],
  ['professional', 'Professional (legacy)', 149,     0,      500,       400,   false, starter],
  ['enterprise',   'Enterprise (legacy)',   399,     0,    2_000,       400,   false, starter],
] as const;

export const plans: readonly Plan[] = table.map(
  ([id, name, priceMonthlyUsd, trialDays, hourlyApiLimit, retentionDays, isPublic, features]) => ({
    id,
    name,
    priceMonthlyUsd,
    trialDays,
    hourlyApiLimit,
    retentionDays,
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
 * The plan that counts at `now` (milliseconds since the epoch): a running trial's, else the one that was bought or set. A
 * trial so ends by itself, everywhere in the same instant.
 * @throws Error where the plan is unknown: limits are never guessed.
 */
export function planOf(organisation: Organisation, now: number): Plan {
  const planId = isTrialRunning(organisation, now) ? organisation.trial!.planId : organisation.planId;
  const plan = planById.get(planId);
  if (plan === undefined)
    throw new Error(`organisation ${organisation.id} is on the unknown plan "${planId}"`);
  return plan;
}

/** What checkout and a trial accept. */
export function isPurchasable(plan: Plan): boolean {
  return plan.public && plan.priceMonthlyUsd > 0;
}

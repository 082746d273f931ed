/** Every number that baselines judge by, with its reason. */

/** Five weeks: enough for a median that one bad week cannot move, and odd; older habits say little of this month. */
export const WEEKS_KEPT = 5;

/** Under a day nothing is known of the night; under two weeks nothing was seen twice on its day of the week. */
export const BUILDING_HOURS = 24;
export const MATURE_HOURS = 14 * 24;

/** An hour of which less than half was delivered or was clean is no sample of that hour. */
export const LEAST_INTERVALS_OF_HOUR = 6;

/** The level follows the last day or so: slower than a bad evening, faster than the five weeks' profile. */
export const LEVEL_HALF_LIFE_HOURS = 24;
/** Hours that the level looks back on: at seven half-lives the weight is under a hundredth. */
export const LEVEL_HOURS = 7 * LEVEL_HALF_LIFE_HOURS;
/** What an hour may say of the level beyond what is expected of it, as a share: one odd hour moves the level little. */
export const LEVEL_CLIP = 0.5;

/** What was held out of learning at the same hour on so many days running, or weeks running, has become what is normal there. */
export const DAYS_UNTIL_NORMAL = 3;
export const WEEKS_UNTIL_NORMAL = 2;
/** Where so many hours of the day changed, the level changed; where fewer did, the day's shape did, and its past no longer tells. */
export const HOURS_OF_A_NEW_LEVEL = 12;

/** No traffic is steadier than that by nature, and nobody wants to be woken for less. */
export const LEAST_RELATIVE_SPREAD = 0.1;
/** Spreads by MAD of few values are themselves uncertain: they lean on as many values of the same hour on other days. */
export const SPREAD_PRIOR_WEIGHT = 8;
/** Until an hour was seen twice nothing tells how it varies from day to day. */
export const UNKNOWN_RELATIVE_SPREAD = 0.3;

/** Below so many an hour counts are judged by the Poisson tail, never by z: their distribution is too skewed. */
export const SPARSE_PER_HOUR = 30;
/** Where (nearly) nothing was ever counted the truth may still be one in two hours: five weeks of zeros prove no impossibility. */
export const LEAST_PER_HOUR = 0.5;
/** So few hits are never news, however rare they are. */
export const LEAST_HITS = 5;
/** Averages of fewer requests say nothing of latency: one slow request would be the average. */
export const LEAST_TIMED = 10;

/** The noise between intervals of an hour, over Poisson's (or an exponential's, of means): starts at 1, remembers about two weeks. */
export const NOISE_MEMORY_INTERVALS = 14 * 24 * 12;
export const NOISE_PRIOR_INTERVALS = 60;
/** One burst must not pass for noise: differences count up to four standard deviations. */
export const NOISE_CLIP = 16;
/** A burst within an hour is pulled in to so many robust standard deviations before the hour is summed up. */
export const HOUR_CLIP = 4;

/** How far hours came out from what was expected, over what the spread promised, remembers a week. */
export const SURPRISE_MEMORY_HOURS = 168;
/** A squared z counts up to this, lest the anomalies that are looked for hide themselves. */
export const SURPRISE_CLIP = 9;

/** Robust z of a critical status (of a warning: `WARNING_Z`): it does not happen by chance. */
export const CRITICAL_Z = 6;

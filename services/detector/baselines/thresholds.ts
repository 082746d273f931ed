/** All thresholds of baselines, with their reasons. */

/**
 * Five weeks: an odd number, and enough for a median that one bad week cannot change. Older habits are
 * outdated.
 */
export const WEEKS_KEPT = 5;

/**
 * In under a day, nothing is known about the night. In under two weeks, no hour of the week was seen twice.
 */
export const BUILDING_HOURS = 24;
export const MATURE_HOURS = 14 * 24;

/** An hour with less than half of its intervals delivered and normal is no sample. */
export const LEAST_INTERVALS_OF_HOUR = 6;

/** The level follows the last day: slower than a bad evening, faster than the profile of five weeks. */
export const LEVEL_HALF_LIFE_HOURS = 24;
/** Hours in the level: at seven half-lives the weight is under a hundredth. */
export const LEVEL_HOURS = 7 * LEVEL_HALF_LIFE_HOURS;
/**
 * Largest deviation of an hour that the level uses, relative to the expected value: one unusual hour changes
 * the level little.
 */
export const LEVEL_CLIP = 0.5;

/** Values that were excluded at the same hour on this many consecutive days, or weeks, become normal. */
export const DAYS_UNTIL_NORMAL = 3;
export const WEEKS_UNTIL_NORMAL = 2;
/**
 * If this many hours of the day changed, the level changed. If fewer did, the shape of the day changed, and
 * its past is outdated.
 */
export const HOURS_OF_A_NEW_LEVEL = 12;

/** All traffic varies by at least this share. A smaller change needs no alert. */
export const LEAST_RELATIVE_SPREAD = 0.1;
/** MAD spreads of few values are uncertain, so this many values of the same hour on other days are added. */
export const SPREAD_PRIOR_WEIGHT = 8;
/** Assumed spread until an hour was seen twice. */
export const UNKNOWN_RELATIVE_SPREAD = 0.3;

/**
 * Below this hourly rate counts are judged by the Poisson tail instead of z: their distribution is too
 * skewed.
 */
export const SPARSE_PER_HOUR = 30;
/**
 * If almost nothing was ever counted, the true rate may still be one in two hours: five weeks of zeros are no
 * proof.
 */
export const LEAST_PER_HOUR = 0.5;
/** Fewer hits are never reported, however rare they are. */
export const LEAST_HITS = 5;
/** Averages of fewer requests do not measure latency: one slow request would dominate. */
export const LEAST_TIMED = 10;

/**
 * Noise between intervals of an hour, over that of Poisson (or of an exponential, for means). It starts at 1
 * and remembers about two weeks.
 */
export const NOISE_MEMORY_INTERVALS = 14 * 24 * 12;
export const NOISE_PRIOR_INTERVALS = 60;
/** A single burst must not count as noise: differences count up to four standard deviations. */
export const NOISE_CLIP = 16;
/**
 * A burst within an hour is clipped to this many robust standard deviations before the hour is summarised.
 */
export const HOUR_CLIP = 4;

/** Memory of the ratio between forecast errors and estimated spread: a week. */
export const SURPRISE_MEMORY_HOURS = 168;
/** A squared z counts up to this, so that anomalies do not hide themselves. */
export const SURPRISE_CLIP = 9;

/** Robust z of a critical status (for a warning: `WARNING_Z`), which does not occur by chance. */
export const CRITICAL_Z = 6;

/**
 * The enrichers' group on `requests.raw`. Its commits contain the plans of ranges
 * (services/enricher/sink/EXACTLY-ONCE.md).
 */
export const ENRICHER_GROUP = 'enricher';
/**
 * The group of the jobs service on `alerts`: the owner of a website's partition sends notifications about its alerts.
 */
export const NOTIFICATIONS_GROUP = 'notifications';
/** The group of the jobs service on `jobs`: the owner of a website's partition runs its jobs. */
export const JOBS_GROUP = 'jobs';
/**
 * The detectors' group on `requests.stored`: the owner of a website's partition evaluates the website and raises its
 * alerts.
 */
export const DETECTOR_GROUP = 'detector';

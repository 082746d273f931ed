/** The enrichers' group on `requests.raw`; its commits hold the plans of ranges (services/enricher/sink/EXACTLY-ONCE.md). */
export const ENRICHER_GROUP = 'enricher';
/** The group of the jobs service on `alerts`: who has a website's partition tells people of its alerts. */
export const NOTIFICATIONS_GROUP = 'notifications';
/** The group of the jobs service on `jobs`: who has a website's partition runs its jobs. */
export const JOBS_GROUP = 'jobs';
/** The detectors' group on `requests.stored`: the owner of a website's partition evaluates the website and alerts of it. */
export const DETECTOR_GROUP = 'detector';

/** The enrichers' group on `requests.raw`; its commits hold the plans of ranges (services/enricher/sink/EXACTLY-ONCE.md). */
export const ENRICHER_GROUP = 'enricher';

/**
 * What a whole number says whose field has no description of its own. One text for one name: in every answer it means the same.
 */
export const fieldTexts: ReadonlyMap<string, string> = new Map([
  ['status', 'HTTP status of the answer; 0 where the client left before one.'],
  ['bytes_sent', 'Bytes of the response, as the source counts them.'],
  ['time_taken_ms', 'Milliseconds that the server took; null where the source does not tell it.'],
  ['asn', 'Number of the network (autonomous system) of the address; null where it is not known.'],
  ['order', 'For display; lower ones first.'],
  ['count', 'Entries of the list.'],
  ['total', 'Entries on all pages together.'],
  ['page', 'Number of this page, from 1.'],
  ['page_size', 'Most entries of a page.'],
  ['total_pages', 'Pages that there are.'],
  ['limit', 'Most entries of this answer.'],
  ['remaining', 'What is left of the limit.'],
  ['max_rows', 'The cap that the call asked for.'],
  ['traffic_frequency_minutes', 'How often rules of traffic look, in minutes.'],
  ['error_frequency_minutes', 'How often rules of errors and latency look, in minutes.'],
  ['bot_frequency_minutes', 'How often rules of bots look, in minutes.'],
  ['seo_frequency_minutes', 'How often rules of search crawlers look, in minutes.'],
  ['min_email_severity', 'Least severity that is mailed at once: 1 info, 2 warning, 3 critical.'],
  ['min_digest_severity', 'Least severity in the daily digest: 1 info, 2 warning, 3 critical.'],
  ['digest_send_hour_utc', 'Hour (UTC) at which the daily digest is sent.'],
  ['price_monthly_usd', 'Price of a month, in US dollars.'],
  ['trial_period_days', 'Days of the trial.'],
]);

/** Fields of logged request headers. Names are in lower case. */
export type HeaderField =
  | 'user_agent'
  | 'referrer'
  | 'host'
  | 'forwarded_for'
  | 'client'
  | 'request_id'
  | 'country';

/**
 * `client`: the address of the CDN's peer. A site that logs such a header receives its requests through that CDN.
 */
export const headerFields: ReadonlyMap<string, HeaderField> = new Map([
  ['user-agent', 'user_agent'],
  ['referer', 'referrer'],
  ['referrer', 'referrer'],
  ['host', 'host'],
  ['x-forwarded-host', 'host'],
  ['x-forwarded-for', 'forwarded_for'],
  ['x-real-ip', 'forwarded_for'],
  ['cf-connecting-ip', 'client'],
  ['true-client-ip', 'client'],
  ['fastly-client-ip', 'client'],
  ['x-request-id', 'request_id'],
  ['cf-ray', 'request_id'],
  ['cf-ipcountry', 'country'],
]);

/** Columns of CloudFront's logs without a header (CloudFront developer guide, "standard logs", "real-time logs"). */

export const STANDARD_COLUMNS = [
  ...['date', 'time', 'x-edge-location', 'sc-bytes', 'c-ip', 'cs-method'],
  ...['cs(Host)', 'cs-uri-stem', 'sc-status', 'cs(Referer)', 'cs(User-Agent)', 'cs-uri-query'],
  ...['cs(Cookie)', 'x-edge-result-type', 'x-edge-request-id', 'x-host-header', 'cs-protocol', 'cs-bytes'],
  ...[
    'time-taken',
    'x-forwarded-for',
    'ssl-protocol',
    'ssl-cipher',
    'x-edge-response-result-type',
    'cs-protocol-version',
  ],
  ...[
    'fle-status',
    'fle-encrypted-fields',
    'c-port',
    'time-to-first-byte',
    'x-edge-detailed-result-type',
    'sc-content-type',
  ],
  ...['sc-content-len', 'sc-range-start', 'sc-range-end'],
] as const;

/** All columns in order. A configuration may choose some of them, in the same order. */
export const REAL_TIME_COLUMNS: readonly string[] =
  'timestamp c-ip s-ip time-to-first-byte sc-status sc-bytes cs-method cs-protocol cs-host cs-uri-stem cs-bytes x-edge-location x-edge-request-id x-host-header time-taken cs-protocol-version c-ip-version cs-user-agent cs-referer cs-cookie cs-uri-query x-edge-response-result-type x-forwarded-for ssl-protocol ssl-cipher x-edge-result-type fle-encrypted-fields fle-status sc-content-type sc-content-len sc-range-start sc-range-end c-port x-edge-detailed-result-type c-country cs-accept-encoding cs-accept cache-behavior-path-pattern cs-headers cs-header-names cs-headers-count primary-distribution-id primary-distribution-dns-name origin-fbl origin-lbl asn'.split(
    ' ',
  );

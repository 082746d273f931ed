/**
 * One normalised request from a log: the same fields for all sources. Missing text is '', missing numbers are null,
 * never 0. Avro: `shared/schemas/requests.raw.v1.avsc`.
 */
export interface RawRequest {
  /** Start of the request, milliseconds since the epoch; in the log never later than its receipt. */
  timestamp: number;
  /** Textual IPv4 or IPv6 address. */
  client_ip: string;
  /** Upper case, e.g. GET; '' if unknown or if the request line was malformed. */
  method: string;
  /** Lower case, without a port; '' if unknown. */
  host: string;
  /**
   * Request target as sent: path with query string, still percent-encoded. Starts with '/', or is '*' or the target of
   * another method such as CONNECT. '' if the request line was malformed.
   */
  target: string;
  /** e.g. HTTP/2. */
  protocol: string;
  /** 0 if the server never responded (the client disconnected first). */
  status: number;
  /** Bytes of the response, as the source counts them. */
  bytes_sent: number;
  /** Response time of the server, whole milliseconds. */
  time_taken_ms: number | null;
  user_agent: string;
  /** Referer header as sent. */
  referrer: string;
  /** The source's own request id (RayID …). */
  request_id: string;
  content_type: string;
  /** Lower case: hit, miss, …; '' unknown. */
  cache_status: string;
  /** ISO 3166-1 alpha-2, upper case, if the source located the client itself. */
  source_country: string;
  source_asn: number | null;
  /** Bot category that the CDN verified; '' if none or unknown. */
  cdn_bot_category: string;
}

/** Requests in one block of ingest: enough for few appends, few enough for memory. */
export const MOST_BLOCK_REQUESTS = 2_000;

/** A record of `requests.raw`: requests of one website, one source and at most one upload. */
export interface RawBlock {
  website_id: string;
  /** Name of the log source (services/ingest/sources). */
  source: string;
  /** The same for all blocks of one upload. */
  upload_id: string;
  /** Receipt by ingest, milliseconds since the epoch. */
  received_at: number;
  requests: RawRequest[];
}

/**
 * One request as its source told it, normalised: the same fields whatever the source. Absent text is '',
 * absent numbers are null, never 0. Avro: `shared/schemas/requests.raw.v1.avsc`.
 */
export interface RawRequest {
  /** When the request started, milliseconds since the epoch; in the log never later than its receipt. */
  timestamp: number;
  /** Textual IPv4 or IPv6 address. */
  client_ip: string;
  /** Upper case, e.g. GET; '' where the source does not say or the request line was malformed. */
  method: string;
  /** Lower case, without a port; '' where the source does not say. */
  host: string;
  /**
   * Request target as sent: path with query string, still percent-encoded. Starts with '/' (or is '*', or what
   * another method such as CONNECT names); '' where the request line was malformed.
   */
  target: string;
  /** e.g. HTTP/2. */
  protocol: string;
  /** 0 where the server never answered (the client left first). */
  status: number;
  /** Bytes of the response, as the source counts them. */
  bytes_sent: number;
  /** Whole milliseconds that the server took. */
  time_taken_ms: number | null;
  user_agent: string;
  /** Referer header as sent. */
  referrer: string;
  /** The source's own request id (RayID …). */
  request_id: string;
  content_type: string;
  /** Lower case: hit, miss, …; '' unknown. */
  cache_status: string;
  /** ISO 3166-1 alpha-2, upper case, where the source located the client itself. */
  source_country: string;
  source_asn: number | null;
  /** The category that the CDN gives bots which it has verified itself; '' for none, and where it says nothing. */
  cdn_bot_category: string;
}

/** Requests in one block of ingest: large enough for few appends, small enough to be held in memory. */
export const MOST_BLOCK_REQUESTS = 2_000;

/** A record of `requests.raw`: requests of one website, one source and at most one upload. */
export interface RawBlock {
  website_id: string;
  /** Name of the log source that parsed them (services/ingest/sources). */
  source: string;
  /** The same for all blocks of one upload. */
  upload_id: string;
  /** When ingest took them, milliseconds since the epoch. */
  received_at: number;
  requests: RawRequest[];
}

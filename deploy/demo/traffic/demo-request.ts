/** Sender of a demo request. Only the generator knows it; log lines do not contain it. */
export const demoActors = [
  'human',
  'ai_visitor',
  'search_bot',
  'spoofed_bot',
  'undeclared_agent',
  'ai_training',
  'ai_search',
  'ai_fetcher',
  'seo_tool',
  'monitoring',
  'social_preview',
  'feed_reader',
  'archive',
  'unknown_bot',
  'scanner',
] as const;
export type DemoActor = (typeof demoActors)[number];

/** One request to the demo shop, independent of the log format. */
export interface DemoRequest {
  /** Start time, milliseconds since the epoch. */
  timestamp: number;
  client_ip: string;
  method: string;
  host: string;
  /** Path with query string, percent-encoded. */
  target: string;
  protocol: string;
  status: number;
  /** Bytes of the body. */
  bytes_sent: number;
  time_taken_ms: number;
  /** '' for none. */
  user_agent: string;
  /** '' for none. */
  referrer: string;
  /** 16 hexadecimal digits. */
  request_id: string;
  cache_status: 'hit' | 'miss' | 'expired' | 'revalidated' | 'dynamic' | 'bypass';
  content_type: string;
  /** ISO 3166-1 alpha-2, upper case. */
  source_country: string;
  actor: DemoActor;
  /** Token of the crawler in the user agent ('Googlebot'); '' for none. */
  bot: string;
}

/** Constant values of one visit of a client. */
export interface Client {
  ip: string;
  country: string;
  userAgent: string;
  protocol: string;
  actor: DemoActor;
  bot: string;
}

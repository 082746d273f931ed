import { z } from 'zod';

/**
 * All environment variables of Loglane, with defaults and descriptions. A test compares the documented table with this
 * schema. Sizes are in bytes, durations in milliseconds, unless the name states otherwise.
 */

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
/** The manifests use `.invalid` (RFC 2606) for host names that only the operator knows. */
const publicUrl = z
  .url()
  .refine(
    (text) => !/^https?:\/\/[^/?#:]*\.invalid([/?#:]|$)/i.test(text),
    'is a placeholder; set the address that customers use',
  );
const positive = z.coerce.number().int().positive();

export const configSchema = z.object({
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on; 0.0.0.0 opens every interface'),
  API_PORT: port.default(8080).describe('Port of the JSON API'),
  INGEST_PORT: port.default(8081).describe('Port of the ingest endpoint'),
  HEALTH_PORT: port
    .default(8082)
    .describe(
      'Port of /healthz and /readyz for a service without a port of its own (enricher, detector, jobs)',
    ),
  METRICS_PORT: port
    .default(9464)
    .describe('Port of /metrics (Prometheus); no other port serves it. 0: any free port'),
  PUBLIC_API_URL: publicUrl.optional().describe('API address for customers; default http://HOST:API_PORT'),
  PUBLIC_INGEST_URL: publicUrl
    .optional()
    .describe('Ingest address for customers; default http://HOST:INGEST_PORT/v1/logs'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Folder of the embedded engines and of credentials.json'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Lowest severity that is logged'),
  EVENT_LOG_PARTITIONS: positive
    .max(1024)
    .default(1)
    .describe(
      'Partitions of requests.raw when it is created; the one process gains nothing from more than one',
    ),
  EVENT_LOG_MAX_BYTES: positive
    .default(8 * 1024 ** 3)
    .describe(
      'Size limit of the embedded log. Above it consumed blocks are dropped early; if unconsumed blocks exceed it, ingest answers 503',
    ),
  STORE_SYNC_INTERVAL_MS: positive
    .default(10_000)
    .describe(
      'Interval at which the embedded store is synced to disk; later writes are repeated from the log after a power loss',
    ),
  KAFKA_BROKERS: z
    .string()
    .regex(/^[^\s,]+:\d+(,[^\s,]+:\d+)*$/, 'expected host:port, comma-separated')
    .optional()
    .describe('Kafka brokers, host:port, comma-separated; absent: the embedded log'),
  KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9._-]{0,100}$/)
    .default('')
    .describe('Prefix of topics and consumer groups, for brokers that several installations share'),
  KAFKA_REPLICATION_FACTOR: positive
    .max(9)
    .default(1)
    .describe('Replicas of each topic when it is created; 3 in production'),
  KAFKA_SSL: flag.default(false).describe('true: TLS to the brokers'),
  KAFKA_SSL_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('CA certificates (PEM) of the brokers, if no public authority signed them'),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'])
    .optional()
    .describe('SASL mechanism: plain, scram-sha-256 or scram-sha-512; absent: no login'),
  KAFKA_SASL_USERNAME: z.string().min(1).optional().describe('User name for SASL'),
  KAFKA_SASL_PASSWORD: z.string().min(1).optional().describe('Password for SASL'),
  KAFKA_LINGER_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(5)
    .describe('Longest time that an append waits to be sent with others'),
  KAFKA_ACK_TIMEOUT_MS: positive
    .default(10_000)
    .describe('Longest wait for the brokers to acknowledge an append; then ingest answers 503'),
  KAFKA_MAX_PENDING_BYTES: positive
    .default(64 * 1024 ** 2)
    .describe('Bytes of unacknowledged appends above which further appends wait'),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/)
    .optional()
    .describe(
      'Name of the ClickHouse cluster: tables are created ON CLUSTER and replicated; absent: one server',
    ),
  CLICKHOUSE_URL: z
    .url()
    .optional()
    .describe('ClickHouse server (http://user:password@host:8123/database); absent: the embedded engine'),
  CLICKHOUSE_MAX_MEMORY_BYTES: positive.default(700 * 1024 ** 2).describe('Memory limit of one query'),
  INGEST_MAX_BODY_BYTES: positive.default(128 * 1024 ** 2).describe('Largest upload as sent (compressed)'),
  INGEST_MAX_INFLATED_BYTES: positive.default(1024 ** 3).describe('Largest upload after decompression'),
  INGEST_MAX_LINE_BYTES: positive.default(256 * 1024).describe('Longest line or JSON record'),
  INGEST_MAX_IN_FLIGHT: positive.default(64).describe('Concurrent uploads; above it ingest answers 503'),
  INGEST_MAX_IN_FLIGHT_PER_WEBSITE: positive
    .optional()
    .describe(
      'Concurrent uploads of one website; default a quarter of INGEST_MAX_IN_FLIGHT. All websites of one customer together have twice this',
    ),
  INGEST_MAX_BYTES_PER_SECOND_PER_WEBSITE: positive
    .default(64 * 1024 ** 2)
    .describe(
      'Bytes a second (after decompression) of one website’s uploads in one process; above it reading slows down, then ingest answers 503',
    ),
  INGEST_MIN_BYTES_PER_SECOND: positive
    .default(1024)
    .describe('Slowest rate of an upload’s body after the grace period; a slower body is answered 408'),
  INGEST_SLOW_GRACE_MS: positive
    .default(30_000)
    .describe('Grace period in which a body may pause or be slower'),
  INGEST_MAX_CONNECTIONS: positive
    .default(8_192)
    .describe(
      'Concurrent connections; above three quarters of it, an address with a quarter of the connections gets no more',
    ),
  API_MAX_CONNECTIONS: positive
    .default(2_048)
    .describe('As INGEST_MAX_CONNECTIONS, for the API. Both shrink if the process may open fewer files'),
  INGEST_PROXY_HOPS: z.coerce
    .number()
    .int()
    .min(0)
    .max(16)
    .default(0)
    .describe(
      'Your own proxies before ingest that append to X-Forwarded-For. The address at this position from the end is logged as the sender',
    ),
  CONSOLE: flag
    .default(true)
    .describe('false: the API serves no web console and accepts no sign-in, also none of OAuth clients'),
  ENRICHER_BATCH_ROWS: positive
    .default(60_000)
    .describe(
      'Rows of a range, where rows with many different texts count as more; the last record may add some 2,000. If the store takes few rows a second, ranges have 30,000 rows, or half of this setting if that is less',
    ),
  ENRICHER_BATCH_BYTES: positive
    .max(128 * 1024 ** 2)
    .default(32 * 1024 ** 2)
    .describe(
      'Bytes of a range’s records, with their texts expanded in each row; a range is closed at this size even with fewer rows',
    ),
  ENRICHER_BATCH_LINGER_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(350)
    .describe('Longest wait before a smaller range is closed, if no range is being inserted'),
  DNS_LOOKUPS_PER_SECOND: positive.default(50).describe('Reverse DNS look-ups a second to verify crawlers'),
  DNS_TIMEOUT_MS: positive.default(3_000).describe('Timeout of one DNS answer'),
  FETCH_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'expected printable ASCII')
    .default('Loglane/0.1 (reads robots.txt, sitemaps and some pages for the owner of the website)')
    .describe('User agent of fetches from customers’ websites; include a page or an address of yours'),
  CRAWLER_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'expected printable ASCII')
    .regex(/LoglaneBot/, 'expected LoglaneBot in it: rules of robots.txt are looked up by that name')
    .default('Mozilla/5.0 (compatible; LoglaneBot/0.1; crawls for the owner of the website)')
    .describe(
      'User agent of site crawls. It must contain LoglaneBot, and should contain the address of a page of yours (+https://…) that describes the crawler',
    ),
  CRAWL_REQUESTS_PER_SECOND: z.coerce
    .number()
    .min(0.1)
    .max(50)
    .default(2)
    .describe('Requests a second of a site crawl to its website'),
  FETCH_WEBSITES: flag
    .default(true)
    .describe(
      'false: nothing is fetched from customers’ websites (robots.txt, sitemaps, pages for checks) and no address ranges of crawlers are downloaded; for a network without internet access',
    ),
  CRAWLS_AT_ONCE: positive
    .default(2)
    .describe('Concurrent crawls of one replica of jobs, each of another website'),
  CRAWLER_BROWSER: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of a Chromium (such as /usr/bin/chromium) that runs page scripts for crawls that ask for it; absent: such crawls fail and say so',
    ),
  CRAWLER_BROWSER_SANDBOX: flag
    .default(true)
    .describe(
      'false: CRAWLER_BROWSER runs without its sandbox, which needs user namespaces and a user that is not root',
    ),
  CRAWLER_EGRESS_IP: z
    .union([z.ipv4(), z.ipv6()])
    .optional()
    .describe(
      'Fixed address from which websites are crawled, shown to customers so that they can allow it; absent: none is shown',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Mail server (smtp://user:password@host:587, smtps://…); absent: no e-mail is sent, even if the alert settings ask for it',
    ),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@\r\n]{1,100} <[^\s<>@]{1,64}@[^\s<>@]{1,190}>|[^\s<>@]{1,64}@[^\s<>@]{1,190})$/,
      'expected address or Name <address>',
    )
    .optional()
    .describe('Sender of e-mail (Loglane <alerts@example.com>); required with SMTP_URL'),
  FILES_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for exports and reports, shared by the API and jobs. Default DATA_DIR/files in the one process; none for separate services (then set S3_BUCKET)',
    ),
  EXPORTS_MAX_KEPT_BYTES: positive
    .default(100 * 1024 ** 3)
    .describe(
      'Bytes of exports that one organisation may keep; above it no export is made until older ones expire',
    ),
  EXPORTS_MAX_FILE_BYTES: positive
    .default(20 * 1024 ** 3)
    .describe('Largest file of one export; a larger one fails with a reason'),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, 'expected the name of a bucket')
    .optional()
    .describe('Bucket for exports and reports, instead of a folder'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('S3-compatible store (https://host); absent: AWS'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket'),
  S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Access key of the bucket; absent: the role of the machine'),
  S3_SECRET_ACCESS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('Secret key of the bucket; required with S3_ACCESS_KEY_ID'),
  INSIGHTS_URL: z
    .string()
    .regex(/^https?:\/\/[^\s?#@]+$/, 'expected http(s)://host:port/path, without a user name')
    .optional()
    .describe(
      'Base address of a language model’s OpenAI-compatible API (http://host:11434/v1); absent: no insights are written',
    ),
  INSIGHTS_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, 'expected printable ASCII')
    .optional()
    .describe('Name of the language model on that server; required with INSIGHTS_URL'),
  INSIGHTS_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected printable ASCII')
    .optional()
    .describe('Key of that server; absent: it needs none'),
  INSIGHTS_TOKENS_PER_DAY: positive
    .default(200_000)
    .describe(
      'Tokens, read and written, for the insights of one website on a UTC day. A call that could exceed the budget is not made',
    ),
  READ_DEADLINE_MS: positive
    .default(8_000)
    .describe('Time after which a long raw read answers data_buffering and continues in the background'),
  KEPT_ANSWERS_MAX_BYTES: positive
    .default(64 * 1024 ** 2)
    .describe('Memory for cached answers that equal calls share while the data does not change'),
  KEPT_HOURS_MAX_BYTES: positive
    .optional()
    .describe(
      'Memory for rows of rollups, from which reads are answered without a statement. A website with 47,000 requests a week takes 7 to 10 MB, one with 400,000 takes 35 MB; absent: a sixteenth of the memory of the machine or container, from 128 MiB to 1 GiB',
    ),
  STRIPE_SECRET_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('Secret key of the Stripe account that sells the plans; absent: nothing is sold'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Signing secret of the webhook endpoint at Stripe; required with STRIPE_SECRET_KEY'),
  STRIPE_FIRST_MONTH_COUPON: z
    .string()
    .min(1)
    .optional()
    .describe('Id of the coupon for customers who buy a monthly plan during the trial; absent: no discount'),
  STRIPE_API_BASE: z
    .string()
    .regex(/^https?:\/\/[^/?#@]+$/, 'expected http(s)://host:port')
    .optional()
    .describe('Replacement for Stripe (http(s)://host:port) in tests; absent: Stripe'),
  BILLING_RETURN_URL: z
    .url()
    .optional()
    .describe('Page to which Stripe sends the customer back; default PUBLIC_API_URL/public/v1/docs'),
  SHUTDOWN_TIMEOUT_MS: positive
    .default(20_000)
    .describe('Longest time from SIGTERM to exit; calls in progress get three quarters of it'),
});

export type Config = z.infer<typeof configSchema>;

/** Thrown by {@link loadConfig}. Its message is one line, suitable for standard error. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables. Empty variables count as absent.
 * @throws ConfigError that names all invalid variables in one line.
 */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = configSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`configuration: ${problems.join('; ')}`);
}

import { z } from 'zod';

/**
 * Every environment variable that Loglane reads, with its default and its reason. The README's table
 * is held against this schema by a test. Sizes are bytes, durations milliseconds, unless the name says
 * otherwise.
 */

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
/** The manifests hold `.invalid` (RFC 2606) where only the operator knows the name. */
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
    .describe('Port of the health of a service that has none of its own (enricher, detector, jobs)'),
  METRICS_PORT: port
    .default(9464)
    .describe('Port of /metrics (Prometheus), which no other port serves; 0: any free one'),
  PUBLIC_API_URL: publicUrl
    .optional()
    .describe('Address of the API as customers see it; default http://HOST:API_PORT'),
  PUBLIC_INGEST_URL: publicUrl
    .optional()
    .describe('Ingest address as customers see it; default http://HOST:INGEST_PORT/v1/logs'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Where the embedded engines and credentials.json live'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log line written'),
  EVENT_LOG_PARTITIONS: positive
    .max(1024)
    .default(1)
    .describe(
      'Partitions of requests.raw when it is first created; one process gains nothing from more than one',
    ),
  EVENT_LOG_MAX_BYTES: positive
    .default(8 * 1024 ** 3)
    .describe(
      'Size of the embedded event log above which consumed blocks are dropped early, and unconsumed ones make ingest answer 503',
    ),
  STORE_SYNC_INTERVAL_MS: positive
    .default(10_000)
    .describe(
      'Time between two moments at which all that the embedded store has written is put on the disk; what came later is stored again after a loss of power',
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
    .describe(
      'Put before the names of topics and consumer groups, where several installations share brokers',
    ),
  KAFKA_REPLICATION_FACTOR: positive
    .max(9)
    .default(1)
    .describe('Copies of each topic when it is first created; 3 in production'),
  KAFKA_SSL: flag.default(false).describe('true: TLS to the brokers'),
  KAFKA_SSL_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('Certificates (PEM) that sign the brokers’ own, where no public authority does'),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'])
    .optional()
    .describe('How to log in to the brokers; absent: not at all'),
  KAFKA_SASL_USERNAME: z.string().min(1).optional().describe('User name for SASL'),
  KAFKA_SASL_PASSWORD: z.string().min(1).optional().describe('Password for SASL'),
  KAFKA_LINGER_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(5)
    .describe('Longest wait of an append for others to travel with it'),
  KAFKA_ACK_TIMEOUT_MS: positive
    .default(10_000)
    .describe('Longest wait for the brokers to take an append; then ingest answers 503'),
  KAFKA_MAX_PENDING_BYTES: positive
    .default(64 * 1024 ** 2)
    .describe('Bytes of unacknowledged appends above which further ones wait'),
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
  CLICKHOUSE_MAX_MEMORY_BYTES: positive
    .default(700 * 1024 ** 2)
    .describe('Most memory that one query may take'),
  INGEST_MAX_BODY_BYTES: positive.default(128 * 1024 ** 2).describe('Largest upload as sent (compressed)'),
  INGEST_MAX_INFLATED_BYTES: positive.default(1024 ** 3).describe('Largest upload after decompression'),
  INGEST_MAX_LINE_BYTES: positive.default(256 * 1024).describe('Longest line or JSON record'),
  INGEST_MAX_IN_FLIGHT: positive
    .default(64)
    .describe('Uploads worked on at once; past it ingest answers 503'),
  INGEST_MAX_IN_FLIGHT_PER_WEBSITE: positive
    .optional()
    .describe(
      'Of these, uploads of one website; default a quarter. One customer’s websites together have twice this',
    ),
  INGEST_MAX_BYTES_PER_SECOND_PER_WEBSITE: positive
    .default(64 * 1024 ** 2)
    .describe(
      'Bytes a second (after decompression) that one website’s uploads may bring to one process; past it reading waits, then ingest answers 503',
    ),
  INGEST_MIN_BYTES_PER_SECOND: positive
    .default(1024)
    .describe('Least rate of an upload’s body, beyond the grace; a slower one is answered 408'),
  INGEST_SLOW_GRACE_MS: positive
    .default(30_000)
    .describe('How long a body may stand still, or lie behind the least rate'),
  INGEST_MAX_CONNECTIONS: positive
    .default(8_192)
    .describe(
      'Connections at once; above three quarters of them, an address that has a quarter gets no further one',
    ),
  API_MAX_CONNECTIONS: positive
    .default(2_048)
    .describe('As INGEST_MAX_CONNECTIONS, for the API. Both shrink where the process may open fewer files'),
  INGEST_PROXY_HOPS: z.coerce
    .number()
    .int()
    .min(0)
    .max(16)
    .default(0)
    .describe(
      'Proxies of your own before ingest that append to X-Forwarded-For; its address so far from the end is the one in log lines',
    ),
  ENRICHER_BATCH_ROWS: positive
    .default(60_000)
    .describe(
      'Rows at which a range is closed (the last record may take it some 2,000 beyond); where the store takes few a second, ranges are closed at 30,000, or at half of this setting where that is less',
    ),
  ENRICHER_BATCH_BYTES: positive
    .max(128 * 1024 ** 2)
    .default(32 * 1024 ** 2)
    .describe(
      'Bytes of the records, with each text in its row, at which a range is closed before it has its rows',
    ),
  ENRICHER_BATCH_LINGER_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(350)
    .describe('Longest wait before a smaller range is closed, where no range is being inserted'),
  DNS_LOOKUPS_PER_SECOND: positive
    .default(50)
    .describe('Most reverse DNS look-ups started a second to verify crawlers'),
  DNS_TIMEOUT_MS: positive.default(3_000).describe('Longest wait for one DNS answer'),
  FETCH_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'expected printable ASCII')
    .default('Loglane/0.1 (reads robots.txt, sitemaps and some pages for the owner of the website)')
    .describe('User agent of what is fetched from customers’ websites; name a page or an address of yours'),
  CRAWLER_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'expected printable ASCII')
    .regex(/LoglaneBot/, 'expected LoglaneBot in it: rules of robots.txt are looked up by that name')
    .default('Mozilla/5.0 (compatible; LoglaneBot/0.1; crawls for the owner of the website)')
    .describe(
      'User agent of site crawls; has LoglaneBot in it, and should name an address of a page of yours (+https://…) that says who crawls',
    ),
  CRAWL_REQUESTS_PER_SECOND: z.coerce
    .number()
    .min(0.1)
    .max(50)
    .default(2)
    .describe('Most requests a second that a site crawl sends to its website'),
  FETCH_WEBSITES: flag
    .default(true)
    .describe(
      'false: nothing is fetched from customers’ websites (robots.txt, sitemaps, what checks look at) nor crawlers’ address ranges from their operators, for a network without a way out',
    ),
  CRAWLS_AT_ONCE: positive
    .default(2)
    .describe('Crawls that one replica of the jobs service has under way at once, each of another website'),
  CRAWLER_BROWSER: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of a Chromium (such as /usr/bin/chromium) that runs the scripts of pages for site crawls that ask for it; absent: those fail and say so',
    ),
  CRAWLER_BROWSER_SANDBOX: flag
    .default(true)
    .describe(
      'false: CRAWLER_BROWSER runs without the sandbox of its own, which needs user namespaces and a user that is not root',
    ),
  CRAWLER_EGRESS_IP: z
    .union([z.ipv4(), z.ipv6()])
    .optional()
    .describe(
      'Fixed address that crawls of websites come from, told to customers so that they can allow it; absent: none is told',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Server that takes e-mail (smtp://user:password@host:587, smtps://…); absent: no e-mail is sent, whatever is set for alerts',
    ),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@\r\n]{1,100} <[^\s<>@]{1,64}@[^\s<>@]{1,190}>|[^\s<>@]{1,64}@[^\s<>@]{1,190})$/,
      'expected address or Name <address>',
    )
    .optional()
    .describe('Sender of e-mail (Loglane <alerts@example.com>); goes with SMTP_URL'),
  FILES_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for exports and reports, shared by the API and jobs; default DATA_DIR/files in one process, none where services run apart (then set S3_BUCKET)',
    ),
  EXPORTS_MAX_KEPT_BYTES: positive
    .default(100 * 1024 ** 3)
    .describe(
      'Bytes of exports that one organisation may keep at once; past it no further one is made until the oldest have expired',
    ),
  EXPORTS_MAX_FILE_BYTES: positive
    .default(20 * 1024 ** 3)
    .describe('Bytes that the file of one export may have; a larger one is refused with a reason'),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, 'expected the name of a bucket')
    .optional()
    .describe('Bucket for exports and reports, in place of a folder'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Store that speaks S3’s protocol (https://host); absent: AWS'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket'),
  S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Key of the bucket; absent: the role of the machine'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Its secret; goes with S3_ACCESS_KEY_ID'),
  INSIGHTS_URL: z
    .string()
    .regex(/^https?:\/\/[^\s?#@]+$/, 'expected http(s)://host:port/path, without a user name')
    .optional()
    .describe(
      'Server of a language model, where its API of OpenAI’s form begins (http://host:11434/v1); absent: no insights are written',
    ),
  INSIGHTS_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, 'expected printable ASCII')
    .optional()
    .describe('Name of the language model on that server; goes with INSIGHTS_URL'),
  INSIGHTS_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected printable ASCII')
    .optional()
    .describe('Key of that server; absent: it asks for none'),
  INSIGHTS_TOKENS_PER_DAY: positive
    .default(200_000)
    .describe(
      'Tokens that the insights of one website may take on a day (UTC), read and written; no call is begun that could take more',
    ),
  READ_DEADLINE_MS: positive
    .default(8_000)
    .describe('After this a long raw read answers data_buffering and goes on in the background'),
  KEPT_ANSWERS_MAX_BYTES: positive
    .default(64 * 1024 ** 2)
    .describe('Memory for answers of the API that are kept for equal calls while the data stands'),
  STRIPE_SECRET_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('Secret key of the account at Stripe that sells the plans; absent: nothing is sold'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Signing secret of the webhook endpoint at Stripe; goes with STRIPE_SECRET_KEY'),
  STRIPE_FIRST_MONTH_COUPON: z
    .string()
    .min(1)
    .optional()
    .describe('Id of the coupon for customers who buy a monthly plan during the trial; absent: no discount'),
  STRIPE_API_BASE: z
    .string()
    .regex(/^https?:\/\/[^/?#@]+$/, 'expected http(s)://host:port')
    .optional()
    .describe('Stand-in for Stripe (http(s)://host:port), for tests; absent: Stripe'),
  BILLING_RETURN_URL: z
    .url()
    .optional()
    .describe(
      'Where Stripe’s pages send the customer back to; default the API’s page PUBLIC_API_URL/public/v1/docs',
    ),
  SHUTDOWN_TIMEOUT_MS: positive
    .default(20_000)
    .describe('Longest time from SIGTERM to the end; three quarters of it for calls under way'),
});

export type Config = z.infer<typeof configSchema>;

/** Thrown by {@link loadConfig}; its message is one line, fit for standard error. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables. Empty variables count as absent.
 * @throws ConfigError naming every wrong variable in one line.
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

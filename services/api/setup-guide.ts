import type { Platform } from '../../shared/control/model.js';

/** How logs of each source type reach us: the steps of the setup status and of the guide page. */
export interface SetupGuide {
  readonly title: string;
  readonly steps: readonly string[];
}

const CLOUDFLARE_FIELDS =
  'ClientIP, ClientCountry, ClientASN, ClientRequestHost, ClientRequestMethod, ClientRequestURI, ClientRequestProtocol, ClientRequestReferer, ClientRequestUserAgent, EdgeStartTimestamp, EdgeEndTimestamp, EdgeResponseStatus, EdgeResponseBytes, EdgeResponseContentType, EdgeTimeToFirstByteMs, CacheCacheStatus, RayID, VerifiedBotCategory';

const LOGLANE_FIELDS =
  'timestamp, client_ip, method, host, path, query, protocol, status, bytes_sent, time_taken_ms, user_agent, referrer, request_id, content_type, cache_status, country, asn';

/** @param ingestUrl where uploads go; the key itself is never part of a guide. */
export function setupGuide(sourceType: Platform, ingestUrl: string): SetupGuide {
  const send = `Have each upload sent as POST to ${ingestUrl} with the header X-API-Key: <INGEST_KEY>; gzip is welcome, and a failed upload (503) must be repeated.`;
  const json = `Write one JSON object per request, as NDJSON or as an array, with these names: ${LOGLANE_FIELDS}. timestamp, client_ip, method, path and status are required.`;
  const forward = (logs: string) => [
    `Let a log shipper (Vector, Fluent Bit or your own function) read ${logs}.`,
    json,
    send,
  ];
  const guides: Record<Platform, SetupGuide> = {
    cloudflare: {
      title: 'Cloudflare',
      steps: [
        `In the zone's Analytics & Logs, create a Logpush job of the dataset "HTTP requests" to the HTTP destination ${ingestUrl}?header_X-API-Key=<INGEST_KEY>.`,
        `Choose these fields: ${CLOUDFLARE_FIELDS}.`,
        'Keep the output type NDJSON; Unix nanoseconds as the timestamp format keeps the response times.',
        `Without Logpush (it needs the Enterprise plan), let a Worker on the zone's route POST the same facts to ${ingestUrl} with the header X-API-Key, under the names ${LOGLANE_FIELDS}.`,
      ],
    },
    aws: {
      title: 'Amazon CloudFront',
      steps: forward('the standard access logs of the distribution from their S3 bucket or log group'),
    },
    vercel: { title: 'Vercel', steps: forward('a log drain of the project with the source "edge"') },
    netlify: { title: 'Netlify', steps: forward('a log drain of the site with the type "traffic logs"') },
    fastly: {
      title: 'Fastly',
      steps: forward('a logging endpoint of the service'),
    },
    akamai: { title: 'Akamai', steps: forward('a DataStream 2 stream of the property') },
    vector: {
      title: 'Vector, nginx, Apache and other shippers',
      steps: [
        'Let the shipper read the access log. nginx and Apache lines in the common or combined form go as they are, with the content type text/plain.',
        `For other forms: ${json}`,
        send,
        `Try it with a file: curl -X POST ${ingestUrl} -H 'X-API-Key: <INGEST_KEY>' --data-binary @access.log`,
      ],
    },
  };
  return guides[sourceType];
}

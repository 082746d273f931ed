import { keyPrefixes } from '../../../shared/control/domain/keys.js';
import type { Plan } from '../../../shared/control/domain/plans.js';
import { PublicError } from '../../../shared/errors.js';
import type { SenderRequest } from '../senders/sender.js';

/** The website of an ingest key. */
export interface IngestKeyOwner {
  readonly websiteId: string;
  readonly organisationId: string;
  /** Id of the key, never its clear text. */
  readonly keyId: string;
  /** Limits and retention of the current plan. */
  readonly plan: Pick<Plan, 'retentionDays' | 'rowsPerHour' | 'bytesPerHour'>;
}

export type FindKeyOwner = (clearKey: string) => IngestKeyOwner | null;

/**
 * Finds the owner of the key in the request. Not every sender can set a header of its choice, so several places are
 * tried. The first that is not empty counts: X-API-Key, X-Amz-Firehose-Access-Key, Authorization, `?key=`,
 * `?api_key=`, the path. Authorization may be Bearer, Splunk, Basic (the password) or ApiKey (the text after the
 * colon).
 * @param pathKey of `/v1/logs/KEY`
 * @throws PublicError (401) if the key is missing, unknown or an API key. The key itself is in no message.
 */
export function authenticate(
  { headers, query }: Pick<SenderRequest, 'headers' | 'query'>,
  pathKey: string | null,
  findKeyOwner: FindKeyOwner,
): IngestKeyOwner {
  const key =
    single(headers['x-api-key']) ||
    single(headers['x-amz-firehose-access-key']) ||
    keyOfAuthorization(headers.authorization) ||
    query.get('key') ||
    query.get('api_key') ||
    pathKey;
  if (!key) {
    throw new PublicError('missing_key', 'Ingest key missing: send it in the header X-API-Key.');
  }
  if (key.startsWith(keyPrefixes.api))
    throw new PublicError(
      'invalid_key',
      `API keys cannot send logs; use the ingest key of the website, which starts with ${keyPrefixes.ingest}.`,
    );
  const owner = findKeyOwner(key);
  if (owner === null) throw new PublicError('invalid_key', 'Ingest key not valid.');
  return owner;
}

function single(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
}

function keyOfAuthorization(header = ''): string {
  const text = header.trim();
  const space = text.indexOf(' ');
  if (space === -1) return '';
  const scheme = text.slice(0, space).toLowerCase();
  const credentials = text.slice(space).trim();
  if (credentials.includes(' ')) return '';
  if (scheme === 'bearer' || scheme === 'splunk') return credentials;
  if (scheme !== 'basic' && scheme !== 'apikey') return '';
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon === -1 ? '' : pair.slice(colon + 1);
}

import { PublicError } from '../../shared/errors.js';
import { sources } from './sources/list.js';
import type { JsonRecord, JsonSource, LineSource, Source } from './sources/source.js';

const names = sources.map((source) => source.name).join(', ');

/**
 * The source that the sender named in `?source=`; null where none is named.
 * @throws PublicError (400) for a name that is not known.
 */
export function findNamedSource(name: string | null): Source | null {
  if (name === null || name === '') return null;
  const source = sources.find((candidate) => candidate.name === name);
  if (source !== undefined) return source;
  throw new PublicError(
    'invalid_request',
    `source: unknown name ${JSON.stringify(name.slice(0, 60))}; known: ${names}`,
  );
}

/** The source whose names a JSON record uses; null for none. */
export function detectJsonSource(record: JsonRecord): JsonSource | null {
  for (const source of sources) if (source.shape === 'json' && source.detect(record)) return source;
  return null;
}

/** The source whose form a line has; null for none. */
export function detectLineSource(line: string): LineSource | null {
  for (const source of sources) if (source.shape === 'lines' && source.detect(line)) return source;
  return null;
}

/** The upload by which Logpush tries a new destination: it carries no request. */
export function isTrialRecord(record: JsonRecord): boolean {
  return record.content === 'tests' && Object.keys(record).length === 1;
}

/** The same, as some receivers see it. */
export function isTrialLine(line: string): boolean {
  return line === 'test' || line === 'tests';
}

/**
 * Refuses comma-separated values: their columns have no names that could be trusted, so that every line would be
 * rejected and the sender, answered 200, would never learn why.
 * @throws PublicError (415)
 */
export function refuseCommaSeparated(line: string): void {
  const header = /(^|,)"?(EdgeStartTimestamp|ClientRequestURI|ClientIP|RayID)"?(,|$)/.test(line);
  const columns = /^("[^"]*"|[^",\s]*)(,("[^"]*"|[^",]*)){2,}$/.test(line);
  if (!header && !(columns && (line.startsWith('"') || !line.includes(' ')))) return;
  throw new PublicError(
    'unsupported_media_type',
    'Comma-separated logs are not supported. Set the Logpush job’s output_type to ndjson, or send JSON records.',
  );
}

import { isProtobuf } from '../senders/open-telemetry.js';
import type { Source } from '../sources/util/source.js';
import type { SplitOptions } from './split-body.js';

/** What the sender's own words leave no doubt of; null: the first bytes of the body tell. */
export function bodyShape(source: Source | null, contentType: string | undefined): SplitOptions['shape'] {
  if (isProtobuf(contentType)) return 'otlp';
  return source?.shape === 'lines' && source.takesAnyText === true ? 'lines' : null;
}

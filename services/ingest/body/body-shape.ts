import { isProtobuf } from '../senders/open-telemetry.js';
import type { Source } from '../sources/util/source.js';
import type { SplitOptions } from './split-body.js';

/** The form of the body, if source or content type leave no doubt; null: the first bytes decide. */
export function bodyShape(source: Source | null, contentType: string | undefined): SplitOptions['shape'] {
  if (isProtobuf(contentType)) return 'otlp';
  return source?.shape === 'lines' && source.takesAnyText === true ? 'lines' : null;
}

import type { JsonRecord, Source, UploadFacts, UploadParser } from '../sources/util/source.js';
import { detectJsonSource, detectLineSource, isWholeRequest } from './detect-source.js';

/** A source, and its parser for this upload. */
export type OpenedSource = { readonly recognises: (record: JsonRecord) => boolean } & (
  | { readonly source: Source & { readonly shape: 'json' }; readonly parser: UploadParser<JsonRecord> }
  | { readonly source: Source & { readonly shape: 'lines' }; readonly parser: UploadParser<string> }
);

export interface Recogniser {
  /** The upload's source; null until a record or line is recognised. */
  readonly opened: OpenedSource | null;
  /** The upload's source. If it is not known yet, this record decides it. */
  recogniseRecord(record: JsonRecord): OpenedSource | null;
  recogniseLine(line: string): OpenedSource | null;
  /** Whether the source's lines may look like anything, JSON and prefixes included. */
  takesAnyText(): boolean;
  /** Whether the record is itself a request. If the sender named a source of lines, only lines are requests. */
  isRequest(record: JsonRecord): boolean;
}

export interface RecogniserOptions extends UploadFacts {
  /** The source that the sender named; null: the first recognised record decides for the whole upload. */
  readonly named: Source | null;
  /** Called once, also for a named source. */
  readonly onRecognised: (opened: OpenedSource) => void;
}

/**
 * Recognises the source of one upload.
 * @throws PublicError (400) if a parameter of the URL is invalid for the source
 */
export function createRecogniser({ named, headers, query, onRecognised }: RecogniserOptions): Recogniser {
  let opened: OpenedSource | null = null;

  function open(source: Source | null): OpenedSource | null {
    if (source === null) return null;
    opened = openSource(source, { headers, query });
    onRecognised(opened);
    return opened;
  }

  open(named);
  return {
    get opened() {
      return opened;
    },
    recogniseRecord: (record) => opened ?? open(detectJsonSource(record)),
    recogniseLine: (line) => opened ?? open(detectLineSource(line)),
    takesAnyText: () => opened?.source.shape === 'lines' && opened.source.takesAnyText === true,
    isRequest(record) {
      if (named?.shape === 'lines') return false;
      return opened?.recognises(record) === true || isWholeRequest(record);
    },
  };
}

function openSource(source: Source, upload: UploadFacts): OpenedSource {
  if (source.shape === 'lines') return { source, parser: source.open(upload), recognises: () => false };
  const parser = source.open(upload);
  return { source, parser, recognises: (record) => parser.recognises?.(record) ?? source.detect(record) };
}

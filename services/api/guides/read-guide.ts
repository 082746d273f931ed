import { readFileSync } from 'node:fs';
import { withAddress } from './with-address.js';

/** Folder of the documents, next to the sources and also next to the compiled program. */
const DOCS = new URL('../../../docs/', import.meta.url);

export interface GuideText {
  readonly title: string;
  /** Markdown, with the ingest address in place of HOST. */
  readonly markdown: string;
}

/**
 * @param file below docs/, such as `sources/nginx.md`
 * @param ingestUrl address for uploads; a guide never contains the key
 */
export function readGuide(file: string, ingestUrl: string): GuideText {
  const written = readFileSync(new URL(file, DOCS), 'utf8');
  const title = /^# (.+)$/m.exec(written)?.[1] ?? file;
  return { title, markdown: withAddress(written, new URL(ingestUrl)) };
}

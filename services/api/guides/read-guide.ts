import { readFileSync } from 'node:fs';

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

/** Documents contain `https://HOST/v1/logs`, with a port for some senders, and `HOST` alone. */
function withAddress(text: string, { protocol, hostname, port, origin, pathname }: URL): string {
  const uploads = pathname.replace(/\/$/, '');
  return text
    .replaceAll('https://HOST:443', `${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`)
    .replaceAll('https://HOST/v1/logs', `${origin}${uploads}`)
    .replaceAll('https://HOST', origin)
    .replaceAll('http://HOST:8081/v1/logs', `${origin}${uploads}`)
    .replace(/\bHOST\b/g, hostname);
}

/** File types by media type, for responses without an extension. */
const typeOfMedia = new Map(
  Object.entries({
    'application/json': 'json',
    'application/ld+json': 'json',
    'application/problem+json': 'json',
    'application/manifest+json': 'json',
    'application/pdf': 'pdf',
    'application/xml': 'xml',
    'text/xml': 'xml',
    'application/rss+xml': 'rss',
    'application/atom+xml': 'atom',
    'text/css': 'css',
    'text/csv': 'csv',
    'text/plain': 'txt',
    'text/javascript': 'js',
    'application/javascript': 'js',
    'application/wasm': 'wasm',
    'application/zip': 'zip',
    'image/avif': 'avif',
    'image/gif': 'gif',
    'image/jpeg': 'jpg',
    'image/png': 'png',
    'image/svg+xml': 'svg',
    'image/webp': 'webp',
    'image/x-icon': 'ico',
    'font/woff2': 'woff2',
    'video/mp4': 'mp4',
  }),
);

/** File types by extensions that exceed the length limit. */
const typeOfLongExtension = new Map([
  ['webmanifest', 'json'],
  ['mobileconfig', 'xml'],
  ['appinstaller', 'xml'],
]);

/** Longer extensions are not file types. Clients choose them, and the column must have few values. */
const LONGEST_EXTENSION = 8;

/**
 * The file type of a path: its extension in lower case, else the type of the media type, else 'html'. Below
 * `/.well-known/`, where there are no pages (RFC 8615), the last is 'txt'. An extension starts with a letter,
 * or with a digit and a letter (7z), so `/v1.2` has none.
 *
 * A request without a path has no page, and its type is ''. Its path is '' itself, the `*` of OPTIONS, or the
 * host and port of CONNECT.
 */
export function fileTypeOf(path: string, contentType: string): string {
  if (!path.startsWith('/')) return '';
  const dot = path.lastIndexOf('.');
  if (dot > path.lastIndexOf('/')) {
    const length = path.length - dot - 1;
    if (length > 0 && length <= LONGEST_EXTENSION && isExtension(path, dot + 1)) {
      return path.slice(dot + 1).toLowerCase();
    }
    const known =
      length > LONGEST_EXTENSION ? typeOfLongExtension.get(path.slice(dot + 1).toLowerCase()) : undefined;
    if (known !== undefined) return known;
  }
  const unknown = path.startsWith('/.well-known/') ? 'txt' : 'html';
  if (contentType === '') return unknown;
  const parameters = contentType.indexOf(';');
  const media = parameters < 0 ? contentType : contentType.slice(0, parameters).trimEnd();
  return typeOfMedia.get(media.toLowerCase()) ?? unknown;
}

function isExtension(path: string, start: number): boolean {
  if (!isLetter(path.charCodeAt(start)) && !/^\d[a-z]/i.test(path.slice(start, start + 2))) return false;
  for (let i = start; i < path.length; i += 1) {
    const code = path.charCodeAt(i);
    if (!isLetter(code) && !(code >= 48 && code <= 57)) return false;
  }
  return true;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

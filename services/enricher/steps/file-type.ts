/** Types that a response without an extension can have, by its media type. */
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

/** Types by an extension that is longer than others may be. */
const typeOfLongExtension = new Map([
  ['webmanifest', 'json'],
  ['mobileconfig', 'xml'],
  ['appinstaller', 'xml'],
]);

/** Longer ones are no file types; clients choose them, and a column of few values must stay one. */
const LONGEST_EXTENSION = 8;

/**
 * The kind of file that a path names: its extension in lower case, else what the media type says, else
 * 'html', or below `/.well-known/` 'txt': what is there is no page (RFC 8615). '' where the request has no path, and so is of no page: '' itself, the `*` of OPTIONS, a host and port of CONNECT. `/v1.2` has no
 * extension: one starts with a letter, or a digit and a letter (7z).
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

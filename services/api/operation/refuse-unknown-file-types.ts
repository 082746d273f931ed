import { PublicError } from '../../../shared/errors.js';
import type { Filters } from '../../../shared/reads/sql/filters.js';
import type { Scope } from '../../../shared/reads/sql/scope.js';
import { StoreTimeoutError } from '../../../shared/store/store-errors.js';
import { shortened } from './input.js';
import type { WebsiteContext } from './operation.js';
import { readSeenFileTypes } from './seen-file-types.js';

/** Common types. A result of zero is plausible for them, so they are not looked up. */
const wellKnown: ReadonlySet<string> = new Set(
  `html htm xhtml php asp aspx jsp css js mjs json xml rss atom txt csv md pdf doc docx xls xlsx ppt pptx zip gz tar 7z rar
   jpg jpeg png gif svg webp avif ico bmp tiff woff woff2 ttf otf eot mp3 mp4 m4a ogg wav webm mov avi m3u8 ts wasm map`.split(
    /\s+/,
  ),
);

/**
 * A mistyped file type would give zeros that look like an answer. Clients choose extensions, so every type that a request of the window
 * has is accepted.
 * @throws PublicError invalid_request; as ClickHouseReader.read
 */
export async function refuseUnknownFileTypes(
  { fileTypes = [] }: Pick<Filters, 'fileTypes'>,
  window: Scope['window'],
  { website, services }: WebsiteContext,
): Promise<void> {
  const unusual = fileTypes.filter((type) => !wellKnown.has(type));
  if (unusual.length === 0) return;
  const question = { websiteId: website.id, window };
  const seen = await readSeenFileTypes(services.reader, question, unusual).catch((error: unknown) => {
    if (error instanceof StoreTimeoutError) return null;
    throw error;
  });
  const unknown = seen === null ? undefined : unusual.find((type) => !seen.has(type));
  if (unknown === undefined) return;
  throw new PublicError(
    'invalid_request',
    `file_type: no request of the window has the type "${shortened(unknown)}"; types are extensions such as html, php, pdf, jpg`,
  );
}

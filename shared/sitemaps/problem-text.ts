import { textOfFetchError } from '../fetch/fetch-error.js';
import { isUrl } from '../urls/is-url.js';
import { sitemapErrorTexts } from './sitemap-error.js';

const ofFile: ReadonlyMap<string, string> = new Map(Object.entries(sitemapErrorTexts));

/** A sentence that explains a problem with a sitemap. @param problem from SitemapProblem. */
export function sitemapProblemText(sitemap: string, problem: string): string {
  if (problem === 'invalid_url')
    return 'The address is no absolute URL that can be fetched: http or https, ports 80 and 443.';
  const file = ofFile.get(problem);
  if (file !== undefined) return file;
  const status = /^http_(\d+)$/.exec(problem)?.[1];
  if (status !== undefined) return `The file was answered with status ${status}.`;
  const host = isUrl(sitemap) ? new URL(sitemap).hostname : sitemap;
  return `${host} ${textOfFetchError(problem) ?? 'could not be read'}.`;
}

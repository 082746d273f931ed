import { defineCheck, fail, notApplicable, pass, unknown, warn } from '../facts/check.js';
import { accessFailureOf } from './access-failure.js';

export const sitemapValid = defineCheck({
  id: 'sitemap_valid',
  title: 'Sitemaps are valid',
  category: 'sitemaps',
  weight: 5,
  needs: ['sitemaps'],
  judge({ sitemaps }) {
    const { state, files, failedFiles, foreignUrls, invalidUrls, problems, complete, incompleteReason } =
      sitemaps;
    if (state !== 'read') return notApplicable('There is no sitemap that can be read.');
    const seen = { files, failed_files: failedFiles, foreign_urls: foreignUrls, invalid_urls: invalidUrls };
    const outcome = accessFailureOf(sitemaps.problems);
    if (failedFiles > 0 && outcome !== null)
      return unknown('The website did not give Loglane all files. Search engines may get them.', {
        outcome,
        ...seen,
        problems,
      });
    if (failedFiles > 0)
      return fail(
        `${failedFiles === 1 ? 'A file' : `${failedFiles} files`} could not be read completely. Search engines do not know the pages listed there.`,
        { outcome: 'partial', ...seen, problems },
      );
    if (invalidUrls > 0 || foreignUrls > 0)
      return warn(
        `Some entries do not count: ${invalidUrls} are no full address, and ${foreignUrls} are of another host.`,
        { outcome: 'ok', ...seen, advisories: ['List full addresses of this host alone.'] },
      );
    if (!complete)
      return warn('The sitemaps were not read completely, so only a part could be checked.', {
        outcome: 'partial',
        ...seen,
        reason: incompleteReason,
      });
    return pass('Every file was read completely, and every entry counts.', { outcome: 'ok', ...seen });
  },
});

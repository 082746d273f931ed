import { defineCheck, fail, pass, warn } from '../facts/check.js';
import { evidenceOf } from '../facts/retrievals.js';

const KIB = 1024;
const WARN_BYTES = 500 * KIB;

export const pageWeight = defineCheck({
  id: 'page_weight',
  title: 'The home page’s HTML is light',
  category: 'speed',
  weight: 3,
  needs: ['page'],
  judge({ page: { retrieval } }) {
    const kib = Math.round(retrieval.bytes / KIB);
    const seen = { ...evidenceOf(retrieval), html_kib: kib, read_to_its_end: !retrieval.isCut };
    if (retrieval.isCut)
      return fail(
        `The HTML of the home page has more than ${kib} KiB. Crawlers may stop reading before its end.`,
        seen,
      );
    if (retrieval.bytes > WARN_BYTES)
      return warn(
        `The HTML of the home page has ${kib} KiB, without images and scripts. It takes long to arrive and to render.`,
        seen,
      );
    return pass(`The HTML of the home page has ${kib === 0 ? 'less than 1' : kib} KiB.`, seen);
  },
});

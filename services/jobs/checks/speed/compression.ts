import { defineCheck, notApplicable, pass } from '../facts/check.js';
import { advise, evidenceOf } from '../facts/retrievals.js';

/** Smaller pages gain nothing from compression. */
const LEAST_BYTES = 1_400;

export const compression = defineCheck({
  id: 'compression',
  title: 'Pages are sent compressed',
  category: 'speed',
  weight: 3,
  needs: ['page'],
  judge({ page: { retrieval } }) {
    const encoding = retrieval.headers.get('content-encoding') ?? '';
    if (encoding !== '' && encoding !== 'identity')
      return pass(`The home page is sent with ${encoding.slice(0, 40)}.`, {
        ...evidenceOf(retrieval),
        content_encoding: encoding.slice(0, 40),
      });
    if (retrieval.bytes < LEAST_BYTES)
      return notApplicable('The home page fits into one packet.', evidenceOf(retrieval));
    return advise('The home page is sent uncompressed. Compression reduces it to about a fifth.', retrieval, [
      'Compress text with gzip, br or zstd for clients that accept it.',
    ]);
  },
});

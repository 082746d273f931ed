import type { Answer } from '../../api/operations.js';

/** Everything that is known of one URL. */
export type UrlAnswer = Answer<'getUrl'>;

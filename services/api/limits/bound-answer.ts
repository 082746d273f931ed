import type { ClickHouseReader } from '../../../shared/store/client.js';
import { AnswerTooLongError } from '../../../shared/store/store-errors.js';

/**
 * Characters of all answers of the store that one call may bring into this process. Each statement has a bound of its own
 * (shared/store/client.ts); a call may make hundreds, by the lengths of the texts that it asks about.
 */
const MAX_CHARACTERS = 64 * 1024 ** 2;

/**
 * The reader of one call, which reads so much and no more.
 * @returns a reader that throws AnswerTooLongError from then on.
 */
export function boundAnswer(reader: ClickHouseReader, maxCharacters = MAX_CHARACTERS): ClickHouseReader {
  let left = maxCharacters;
  const check = () => {
    if (left < 0) throw new AnswerTooLongError('the answers of the call are too long');
  };
  return {
    async read(query) {
      check();
      const rows = await reader.read({
        ...query,
        report(statistics) {
          left -= statistics.characters;
          query.report?.(statistics);
        },
      });
      check();
      return rows;
    },
  };
}

import type { ClickHouseReader } from '../../../shared/store/client.js';
import { AnswerTooLongError } from '../../../shared/store/store-errors.js';
import { alsoReport } from './also-report.js';

/**
 * Characters of all store answers for one call. Each statement has its own bound (shared/store/client.ts), but a call with long texts
 * may make hundreds of statements.
 */
const MAX_CHARACTERS = 64 * 1024 ** 2;

/**
 * Limits the total size of the answers for one call.
 * @returns a reader that throws AnswerTooLongError above the limit.
 */
export function boundAnswer(reader: ClickHouseReader, maxCharacters = MAX_CHARACTERS): ClickHouseReader {
  let left = maxCharacters;
  const check = () => {
    if (left < 0) throw new AnswerTooLongError('the answers of the call are too long');
  };
  return {
    ...reader,
    async read(query) {
      check();
      const rows = await reader.read(
        alsoReport(query, ({ characters }) => {
          left -= characters;
        }),
      );
      check();
      return rows;
    },
  };
}

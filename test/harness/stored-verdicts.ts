import type { WebsiteVerdict } from '../../services/enricher/verification/dns-verifier.js';
import { encodeVerdicts, verdictColumns } from '../../services/enricher/verification/store-verdicts.js';
import type { ClickHouseWriter } from '../../shared/store/client.js';

/** Long after any test, and before DateTime ends (2106). */
const LAST_DAY = 45_000;

/** Verdicts in the enricher's form; `lastDay` only if it matters. */
export async function insertVerdicts(
  writer: ClickHouseWriter,
  verdicts: readonly (Omit<WebsiteVerdict, 'lastDay'> & { lastDay?: number })[],
  deduplicationToken: string,
): Promise<void> {
  await writer.insert({
    table: 'claim_verdicts',
    columns: verdictColumns,
    rows: encodeVerdicts(verdicts.map((verdict) => ({ lastDay: LAST_DAY, ...verdict }))),
    deduplicationToken,
  });
}

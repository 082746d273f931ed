import { NONE } from '../../../shared/requests/columns/request-columns.js';
import type { Enrichment } from '../../../shared/requests/enriched-request.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';
import type { EnrichedBlock } from '../enriched-block.js';

/** What signals count of a row. */
export type SignalRow = Readonly<
  Pick<
    RawRequest,
    'timestamp' | 'client_ip' | 'user_agent' | 'target' | 'status' | 'bytes_sent' | 'time_taken_ms'
  > &
    Pick<
      Enrichment,
      | 'path'
      | 'query'
      | 'file_type'
      | 'traffic_class'
      | 'bot_name'
      | 'bot_family'
      | 'bot_operator'
      | 'bot_category'
      | 'bot_verification'
      | 'country'
      | 'asn'
      | 'as_name'
    >
>;

/** @returns gives the row at a place of the block. One object is changed for all of them, since this is done for every row: nobody keeps it. */
export function createRowReader({
  columns,
  target,
  location,
  judgement,
}: EnrichedBlock): (at: number) => SignalRow {
  const { texts, timestamp, status, bytes_sent, time_taken_ms } = columns;
  const { client_ip, user_agent, target: targets } = texts;
  const row: { -readonly [Field in keyof SignalRow]: SignalRow[Field] } = {
    timestamp: 0,
    client_ip: '',
    user_agent: '',
    target: '',
    status: 0,
    bytes_sent: 0,
    time_taken_ms: null,
    path: '',
    query: '',
    file_type: '',
    traffic_class: 'human',
    bot_name: '',
    bot_family: '',
    bot_operator: '',
    bot_category: '',
    bot_verification: '',
    country: '',
    asn: 0,
    as_name: '',
  };
  return (at) => {
    row.timestamp = timestamp[at]!;
    row.client_ip = client_ip.texts[client_ip.ids[at]!]!;
    row.user_agent = user_agent.texts[user_agent.ids[at]!]!;
    row.target = targets.texts[targets.ids[at]!]!;
    row.status = status[at]!;
    row.bytes_sent = bytes_sent[at]!;
    const took = time_taken_ms[at]!;
    row.time_taken_ms = took === NONE ? null : took;
    const { path, query, file_type } = target.values[target.ids[at]!]!;
    row.path = path;
    row.query = query;
    row.file_type = file_type;
    const judged = judgement.values[judgement.ids[at]!]!;
    row.traffic_class = judged.traffic_class;
    row.bot_name = judged.bot_name;
    row.bot_family = judged.bot_family;
    row.bot_operator = judged.bot_operator;
    row.bot_category = judged.bot_category;
    row.bot_verification = judged.bot_verification;
    const { country, asn, as_name } = location.values[location.ids[at]!]!;
    row.country = country;
    row.asn = asn;
    row.as_name = as_name;
    return row;
  };
}

import type { RecordEnvelope } from './envelope.js';

/** The line before each record of a bulk upload to Elasticsearch: `{"create":{"_index":"…"}}`. It holds no record itself. */
export const bulkAction: RecordEnvelope = {
  name: 'bulk-action',
  open(record, unpacking) {
    const action = record.create ?? record.index;
    if (typeof action !== 'object' || action === null || Object.keys(record).length !== 1) return null;
    unpacking.onBulkAction();
    return [];
  },
};

import type { Content, RecordEnvelope } from './envelope.js';

const action: readonly Content[] = [{ noRecord: 'an action of a bulk upload' }];

/** The line before each record of a bulk upload to Elasticsearch: `{"create":{"_index":"…"}}`. It is not a record. */
export const bulkAction: RecordEnvelope = {
  name: 'bulk-action',
  open(record, unpacking) {
    const target = record.create ?? record.index;
    if (typeof target !== 'object' || target === null || Object.keys(record).length !== 1) return null;
    unpacking.onBulkAction();
    return action;
  },
};

import type { Find } from '../model/finding.js';

export const logsStopped: Find = ({ health, summary }) => {
  if (health.data_flowing || summary.data_since === null) return null;
  return {
    title: 'No log data is arriving',
    figure: `The last log data arrived ${health.last_received_at === null ? 'before records of it are kept' : `at ${health.last_received_at.slice(0, 16).replace('T', ' ')} UTC`}.`,
    why: 'This report has no data after that time, and no alert can be raised.',
    action: 'Check the log shipper or the CDN’s log push first, then the ingest key that it uses.',
    read: 'GET /health',
    impact: 95,
    examples: null,
  };
};

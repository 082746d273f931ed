import type { Find } from './finding.js';

export const logsStopped: Find = ({ health, summary }) => {
  if (health.data_flowing || summary.data_since === null) return null;
  return {
    title: 'No log data arrives',
    figure: `The last log data came ${health.last_received_at === null ? 'before records of it are kept' : `at ${health.last_received_at.slice(0, 16).replace('T', ' ')} UTC`}.`,
    why: 'What is not logged is not seen: this report says nothing of the time since then, and no alert can be raised.',
    action: 'Look at the shipper or the CDN’s log push first; then at the ingest key that it uses.',
    read: 'GET /health',
    impact: 95,
    examples: null,
  };
};

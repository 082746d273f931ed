import { summary } from '../../../../shared/reads/traffic/summary.js';
import { windowRead } from '../../operation/window-read.js';

export const getSummary = windowRead({
  id: 'getSummary',
  tag: 'Traffic',
  path: '/summary',
  summary: 'Key figures',
  description: 'Volume, clients, errors and speed, compared with the previous window of the same length.',
  segment: true,
  answer: summary,
});

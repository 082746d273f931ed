import { summary } from '../../../../shared/answers/summary.js';
import { windowRead } from '../window-read.js';

export const getSummary = windowRead({
  id: 'getSummary',
  tag: 'Traffic',
  path: '/summary',
  summary: 'Key figures',
  description:
    'Volume, who sends it, errors and speed at a glance, beside the window of the same length just before.',
  segment: true,
  answer: summary,
});

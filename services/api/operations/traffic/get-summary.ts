import { summary } from '../../../../shared/reads/traffic/summary.js';
import { windowRead } from '../../operation/window-read.js';

export const getSummary = windowRead({
  id: 'getSummary',
  tag: 'Traffic',
  path: '/summary',
  summary: 'Key figures',
  description:
    'Volume, clients, errors and speed, compared with the previous window of the same length. If the window ends now and is a day or longer, the previous window is rounded to the hour.',
  segment: true,
  answer: summary,
});

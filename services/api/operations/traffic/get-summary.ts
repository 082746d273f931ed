import { summary } from '../../../../shared/reads/traffic/summary.js';
import { windowRead } from '../../operation/window-read.js';

export const getSummary = windowRead({
  id: 'getSummary',
  tag: 'Traffic',
  path: '/summary',
  summary: 'Key figures',
  description:
    'Volume, who sends it, errors and speed at a glance, beside the window just before: of the same length, to the nearest hour where the window ends now and is a day or longer.',
  segment: true,
  answer: summary,
});

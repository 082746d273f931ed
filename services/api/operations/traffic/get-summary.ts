import { summary } from '../../../../shared/answers/summary.js';
import { windowRead } from '../window-read.js';

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

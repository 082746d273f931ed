import { statusCodes } from '../../../../shared/reads/traffic/status-codes.js';
import { windowRead } from '../../operation/window-read.js';

export const getStatusCodes = windowRead({
  id: 'getStatusCodes',
  tag: 'Traffic',
  path: '/status-codes',
  summary: 'HTTP statuses',
  description:
    'Requests by status, by status class and by hour. Status 0 means that the client disconnected before an answer. It is in the class `other`, like every status outside 100-599. Every hour that overlaps the window has an entry.',
  segment: true,
  answer: statusCodes,
});

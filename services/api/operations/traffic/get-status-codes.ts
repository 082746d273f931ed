import { statusCodes } from '../../../../shared/reads/traffic/status-codes.js';
import { windowRead } from '../../operation/window-read.js';

export const getStatusCodes = windowRead({
  id: 'getStatusCodes',
  tag: 'Traffic',
  path: '/status-codes',
  summary: 'HTTP statuses',
  description:
    'How requests were answered: by status, by class, and by hour. Status 0 means that the client left before an answer; it counts to the class `other`, as does anything outside 100-599. Every hour that the window touches has its entry.',
  segment: true,
  answer: statusCodes,
});

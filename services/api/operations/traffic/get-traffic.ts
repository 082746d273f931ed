import { traffic } from '../../../../shared/reads/traffic/traffic.js';
import { windowRead } from '../../operation/window-read.js';

export const getTraffic = windowRead({
  id: 'getTraffic',
  tag: 'Traffic',
  path: '/traffic',
  summary: 'Traffic over time',
  description:
    'Requests by class of traffic, errors, volume and speed, by hour and by UTC day. Every hour and day that the window touches has its entry, with zeros where nothing came; those that reach beyond the window, or are not over yet, are `partial`. `unique_ips` do not add up over time: an address that comes in two hours is one address of the day.',
  segment: true,
  answer: traffic,
});

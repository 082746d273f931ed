import { traffic } from '../../../../shared/reads/traffic/traffic.js';
import { windowRead } from '../../operation/window-read.js';

export const getTraffic = windowRead({
  id: 'getTraffic',
  tag: 'Traffic',
  path: '/traffic',
  summary: 'Traffic over time',
  description:
    'Requests by traffic class, errors, volume and speed, by hour and by UTC day. Every hour and day that overlaps the window has an entry, with zeros if there were no requests. Entries that extend beyond the window or are not finished are `partial`: usually the first and the last. `unique_ips` can not be added up: an address in two hours is one address of the day.',
  segment: true,
  answer: traffic,
});

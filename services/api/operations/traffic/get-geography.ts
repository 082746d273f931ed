import { geography, MAX_CITIES } from '../../../../shared/reads/traffic/geography.js';
import { windowRead } from '../../operation/window-read.js';

export const getGeography = windowRead({
  id: 'getGeography',
  tag: 'Traffic',
  path: '/geography',
  summary: 'Requests by country and city',
  description: `Locations of the client addresses, most requests first: every country, and the ${MAX_CITIES} cities with most requests.`,
  segment: false,
  answer: geography,
});

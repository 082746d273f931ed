import { devices, MAX_NAMES } from '../../../../shared/reads/traffic/devices.js';
import { windowRead } from '../../operation/window-read.js';

export const getDevices = windowRead({
  id: 'getDevices',
  tag: 'Traffic',
  path: '/devices',
  summary: 'Browsers, operating systems and devices of human visitors',
  description: `Human traffic only, from its user agents, because bots can claim any browser. Most requests first, at most ${MAX_NAMES} in each list.`,
  segment: true,
  answer: devices,
});

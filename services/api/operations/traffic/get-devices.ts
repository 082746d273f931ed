import { devices, MAX_NAMES } from '../../../../shared/reads/traffic/devices.js';
import { windowRead } from '../../operation/window-read.js';

export const getDevices = windowRead({
  id: 'getDevices',
  tag: 'Traffic',
  path: '/devices',
  summary: 'Browsers, operating systems and devices of human visitors',
  description: `Human traffic alone, as told by its user agents: bots put on whatever browser they like. Most requests first, at most ${MAX_NAMES} in each list.`,
  segment: true,
  answer: devices,
});

import { headerCheck } from './header-check.js';

export const framing = headerCheck({
  id: 'framing',
  title: 'Other websites may not frame the pages',
  header: 'x-frame-options',
  holds: (value, headers) =>
    ['deny', 'sameorigin'].includes(value.trim()) ||
    (headers.get('content-security-policy') ?? '').toLowerCase().includes('frame-ancestors'),
  why: 'Any website may show this website in a frame and trick people into clicking on it.',
  advice: 'Send Content-Security-Policy with frame-ancestors, or X-Frame-Options: SAMEORIGIN.',
});

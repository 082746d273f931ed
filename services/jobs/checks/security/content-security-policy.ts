import { headerCheck } from './header-check.js';

export const contentSecurityPolicy = headerCheck({
  id: 'content_security_policy',
  title: 'A policy limits what pages may load',
  header: 'content-security-policy',
  holds: (value) => value !== '',
  why: 'There is no Content-Security-Policy. A script that somebody slips in (links to spam among its uses) is run like your own.',
  advice: 'Begin with Content-Security-Policy-Report-Only, look at the reports, then enforce it.',
});

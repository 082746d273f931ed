import { headerCheck } from './header-check.js';

export const contentSecurityPolicy = headerCheck({
  id: 'content_security_policy',
  title: 'A policy limits what pages may load',
  header: 'content-security-policy',
  holds: (value) => value !== '',
  why: 'There is no Content-Security-Policy. An injected script, for example one that adds spam links, runs like your own.',
  advice: 'Begin with Content-Security-Policy-Report-Only, look at the reports, then enforce it.',
});

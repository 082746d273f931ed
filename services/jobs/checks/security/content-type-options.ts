import { headerCheck } from './header-check.js';

export const contentTypeOptions = headerCheck({
  id: 'content_type_options',
  title: 'Browsers do not guess file types',
  header: 'x-content-type-options',
  holds: (value) => value.trim() === 'nosniff',
  why: 'X-Content-Type-Options is not nosniff. A browser may run an upload as a script.',
  advice: 'Send X-Content-Type-Options: nosniff.',
});

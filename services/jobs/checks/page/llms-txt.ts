import { defineCheck, notApplicable, pass, warn } from '../facts/check.js';
import { evidenceOf, isRead, notAnswered } from '../facts/retrievals.js';

export const llmsTxt = defineCheck({
  id: 'llms_txt',
  title: 'llms.txt is readable, if present',
  category: 'page',
  weight: 1,
  needs: ['llms'],
  judge({ llms }) {
    if (llms.outcome === 'missing')
      return notApplicable(
        'There is no llms.txt. No search engine asks for it; some tools read it as a guide to the website.',
        evidenceOf(llms),
      );
    if (!isRead(llms)) return notAnswered('llms.txt', llms);
    if (llms.html !== null)
      return warn('The address of llms.txt returns an HTML page. Send 404 if there is no such file.', {
        ...evidenceOf(llms),
        outcome: 'invalid',
      });
    if (!/^\s*#/.test(llms.text))
      return warn('llms.txt must begin with a Markdown heading: # and the name of the website.', {
        ...evidenceOf(llms),
        outcome: 'invalid',
      });
    return pass('llms.txt can be read.', evidenceOf(llms));
  },
});

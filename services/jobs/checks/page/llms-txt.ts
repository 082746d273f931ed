import { defineCheck, notApplicable, pass, warn } from '../facts/check.js';
import { isRead, notAnswered, told } from '../facts/retrievals.js';

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
        told(llms),
      );
    if (!isRead(llms)) return notAnswered('llms.txt', llms);
    if (llms.html !== null)
      return warn('The address of llms.txt returns an HTML page. Send 404 if there is no such file.', {
        ...told(llms),
        outcome: 'invalid',
      });
    if (!/^\s*#/.test(llms.text))
      return warn('llms.txt must begin with a Markdown heading: # and the name of the website.', {
        ...told(llms),
        outcome: 'invalid',
      });
    return pass('llms.txt can be read.', told(llms));
  },
});

/** A habit of English that makes a reader read a sentence twice, and the plain form. */
interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Words in a sentence. Code in backticks counts as one word. CONTRIBUTING asks for 25; beyond this limit the check fails. */
const MOST_WORDS = 30;

const RULES: readonly Rule[] = [
  { pattern: /^Of (?!course\b)/, instead: 'begin with the subject' },
  { pattern: /\b(?:who|what|which|where)ever\b/i, instead: 'name the person, program or thing' },
  { pattern: /\b(?:tells?|told|telling)\b/i, instead: 'report, return, notify, show, distinguish' },
  { pattern: /\b(?:held|stands?|stood)\b(?!-)/i, instead: 'is, is in, follows, stored, checked' },
  {
    pattern: /\b(?:of|by|to|than|with|from|for|on|in|as|at|behind|after|before) what\b/i,
    instead: 'a noun instead of the clause',
  },
  { pattern: /^What\b(?!.*\?)/, instead: 'a noun as the subject' },
  { pattern: /^Who\b(?!.*\?)/, instead: 'a noun as the subject' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bin turns\b/i, instead: 'alternating' },
  { pattern: /\b(?:go|goes|went|going) by\b/i, instead: 'use, follow, be ordered by' },
  { pattern: /\b(?:asked|said|says) of\b/i, instead: 'queried, returned, about' },
];

/** @returns the rules that a sentence breaks, each as the plain form to use. */
export function problemsOf(sentence: string): string[] {
  const problems = RULES.filter(({ pattern }) => pattern.test(sentence)).map(({ pattern, instead }) => {
    const found = pattern.exec(sentence)?.[0].trim() ?? '';
    return `“${found}”: ${instead}`;
  });
  const words = sentence.split(/\s+/).length;
  return words > MOST_WORDS ? [...problems, `${words} words: one idea per sentence`] : problems;
}

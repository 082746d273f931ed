import { content } from './content.js';
import type { Question } from './question.js';
import { security } from './security.js';
import { seo } from './seo.js';
import { sre } from './sre.js';

/** By subject, in the order of the report. */
const subjects = { seo, sre, security, content } as const;

export const questions: readonly Question[] = Object.values(subjects).flat();

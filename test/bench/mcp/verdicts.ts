import type { Choice, Judge } from './judge.js';
import type { Question } from './questions/question.js';

export interface Verdict {
  question: Question;
  wording: string;
  choice: Choice | null;
  tool: boolean;
  /** Whether tool and expected arguments are right. */
  call: boolean;
  forbidden: boolean;
}

/** One wording after another: an endpoint limits how many questions it takes at once. */
export async function verdictsOf(judge: Judge, questions: readonly Question[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const question of questions)
    for (const wording of question.wordings)
      verdicts.push(verdictOf(question, wording, await judge.choose(wording), judge.judged));
  return verdicts;
}

export function verdictOf(
  question: Question,
  wording: string,
  choice: Choice | null,
  judged?: readonly string[],
): Verdict {
  const { tool, also = [], forbidden = [] } = question;
  const allowed: readonly string[] = [tool, ...also];
  const isRight = choice !== null && allowed.includes(choice.tool);
  const changes = choice?.tool === 'change_operation' && !allowed.includes('change_operation');
  return {
    question,
    wording,
    choice,
    tool: isRight,
    call: isRight && (choice.tool !== tool || hasArguments(choice, question, judged)),
    forbidden: choice !== null && (changes || (forbidden as readonly string[]).includes(choice.tool)),
  };
}

function hasArguments(choice: Choice, question: Question, judged?: readonly string[]): boolean {
  return Object.entries(question.arguments ?? {}).every(
    ([name, value]) =>
      judged?.includes(name) === false ||
      String(choice.arguments[name]).toLowerCase() === String(value).toLowerCase(),
  );
}

/** Share of verdicts, 0 to 1. */
export function share(verdicts: readonly Verdict[], of: 'tool' | 'call' | 'forbidden'): number {
  return verdicts.filter((verdict) => verdict[of]).length / verdicts.length;
}

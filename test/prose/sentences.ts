import ts from 'typescript';

/** A sentence of a document, a comment or a test's title, and its line. */
export interface Sentence {
  readonly line: number;
  readonly text: string;
}

/** Sentences of a Markdown document: without code blocks; each item and each cell of a table by itself. */
export function sentencesOfMarkdown(text: string): Sentence[] {
  const withoutCode = text.replace(/```[\s\S]*?```/g, blankLines);
  return paragraphs(withoutCode, /\n\s*\n|\n(?=\s*(?:[-*>|#]|\d+\. ))|\|/g).flatMap(sentencesOf);
}

/** Sentences of SQL comments. */
export function sentencesOfSql(text: string): Sentence[] {
  const comments = text.replace(/^(?!\s*--).*$/gm, '').replace(/^\s*-- ?/gm, '');
  return paragraphs(comments, /\n\s*\n/g).flatMap(sentencesOf);
}

/** Sentences of a TypeScript file's comments, and titles of its tests. */
export function sentencesOfCode(text: string): Sentence[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found = new Map<number, Sentence[]>();
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
      found.set(range.pos, commentSentences(text.slice(range.pos, range.end), lineOf(range.pos)));
    if (ts.isCallExpression(node) && /^(?:test|it|describe)\b/.test(node.expression.getText(source))) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title))
        found.set(title.pos, [{ line: lineOf(title.getStart(source)), text: title.text }]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const range of ts.getLeadingCommentRanges(text, source.endOfFileToken.pos) ?? [])
    found.set(range.pos, commentSentences(text.slice(range.pos, range.end), lineOf(range.pos)));
  return [...found.entries()].toSorted(([a], [b]) => a - b).flatMap(([, part]) => part);
}

function commentSentences(comment: string, line: number): Sentence[] {
  const text = comment
    .replace(/^\/\*\*?|\*\/$/g, '')
    .replace(/^\s*(?:\*|\/\/) ?/gm, '')
    .replace(/(?:^|\s)@(?:param\s+\S+|returns?|throws)\s*(?:\{[^}]*\}\s*)?/gm, '\n\n');
  return paragraphs(text, /\n\s*\n|\n(?=\s*(?:[-*] |\d+\. ))/g).flatMap((part) =>
    sentencesOf({ line: line + part.line - 1, text: part.text }),
  );
}

function blankLines(text: string): string {
  return text.replace(/[^\n]/g, '');
}

function paragraphs(text: string, between: RegExp): Sentence[] {
  const parts: Sentence[] = [];
  let line = 1;
  let from = 0;
  const add = (to: number, next: number) => {
    const part = text.slice(from, to);
    const lead = part.length - part.trimStart().length;
    parts.push({ line: line + newlines(part.slice(0, lead)), text: part });
    line += newlines(text.slice(from, next));
    from = next;
  };
  for (const match of text.matchAll(between)) add(match.index, match.index + match[0].length);
  add(text.length, text.length);
  return parts.filter((part) => part.text.trim() !== '');
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}

function sentencesOf({ line, text }: Sentence): Sentence[] {
  const plain = text
    .replace(/`[^`]*`/g, 'code')
    .replace(/code(?:, code)+/g, 'code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[\s>*-]+/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain
    .split(/(?<=[.!?])\s+|(?<=[:;])\s+/)
    .map((sentence) => ({ line, text: sentence.replace(/^[("“*]+/, '') }))
    .filter(({ text: sentence }) => sentence !== '' && !sentence.startsWith('#'));
}

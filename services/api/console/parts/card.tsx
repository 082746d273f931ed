import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ReadState } from '../api/use-read.js';
import { DataTable, hasTimes, type Table } from './data-table.js';
import { Notice, noticeOf } from './notice.js';

export interface CardProps<Value> {
  readonly title: string;
  /** Names of the columns or figures, in a few words. */
  readonly caption?: string;
  readonly read: ReadState<Value>;
  /** Whether an answer has nothing to show, and the sentence for it. */
  readonly empty?: { readonly when: (value: Value) => boolean; readonly text: string };
  /** The card's figures as rows, for the table view and the CSV file. */
  readonly table?: (value: Value) => Table;
  /** The picture; without it the card shows its table. */
  readonly children?: (value: Value) => ComponentChildren;
  readonly class?: string;
}

/** A block over one read: its state, its picture or its table, its call as curl, its rows as CSV. */
export function Card<Value>({ title, caption, read, empty, table, children, class: name }: CardProps<Value>) {
  const [showsTable, setShowsTable] = useState(false);
  const { answer } = read;
  const isEmpty = answer !== null && empty?.when(answer) === true;
  return (
    <section class={`card ${name ?? ''}`} aria-busy={read.isLoading} aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        {caption === undefined ? null : <p class="caption">{caption}</p>}
        <span class="card-tools">
          {answer === null || table === undefined || children === undefined ? null : (
            <button
              type="button"
              class="tool"
              aria-pressed={showsTable}
              onClick={() => setShowsTable(!showsTable)}
            >
              table
            </button>
          )}
          <CopyCurl path={read.path} />
          {answer === null || table === undefined ? null : (
            <button type="button" class="tool" onClick={() => saveCsv(title, table(answer))}>
              CSV
            </button>
          )}
        </span>
      </header>
      <Notice notice={noticeOf(read)} />
      {answer === null ? (
        read.problem === null ? (
          <Skeleton />
        ) : null
      ) : isEmpty ? (
        <p class="empty">{empty?.text}</p>
      ) : table !== undefined && (showsTable || children === undefined) ? (
        <DataTable table={table(answer)} />
      ) : (
        children?.(answer)
      )}
    </section>
  );
}

function Skeleton() {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">Loading</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Copies the call as a command; the key stays a variable, so that no secret is in a clipboard. */
function CopyCurl({ path }: { readonly path: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const url = new URL(path, document.baseURI).href;
    await navigator.clipboard.writeText(`curl -H "Authorization: Bearer $LOGLANE_KEY" "${url}"`);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" class="tool" onClick={() => void copy()}>
      {copied ? 'copied' : 'curl'}
    </button>
  );
}

function saveCsv(title: string, { columns, rows }: Table): void {
  const lines = [
    columns.map(({ title: name, value }) => (hasTimes(rows, value) ? `${name} (UTC)` : name)),
    ...rows.map((row) => columns.map(({ value }) => value(row))),
  ];
  const text = lines.map((line) => line.map(csvField).join(',')).join('\r\n');
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Quoted where needed. A text that a spreadsheet would run as a formula begins with an apostrophe. */
function csvField(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

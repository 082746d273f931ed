import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ReadId } from '../api/operations.js';
import { callWrite } from '../api/read.js';
import { useSession } from '../api/session.js';
import { forgetAnswers } from '../api/use-read.js';
import { Notice, type NoticeText, problemNotice } from './notice.js';

export interface Action {
  readonly isBusy: boolean;
  readonly notice: NoticeText | null;
  /** @param done the sentence shown after success. @returns the answer; null: it was refused, and the notice says why. */
  readonly send: <Value>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: object | null,
    done: string | ((value: Value) => string),
  ) => Promise<Value | null>;
}

/** A write with its state. @param changes reads whose answers it changes: their blocks read again. */
export function useAction(changes: readonly ReadId[]): Action {
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState<NoticeText | null>(null);
  return {
    isBusy,
    notice,
    async send<Value>(
      method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      path: string,
      body: object | null,
      done: string | ((value: Value) => string),
    ) {
      setBusy(true);
      const outcome = await callWrite<Value>(method, path, body);
      setBusy(false);
      // A refused write, too, may mean that the page shows an old state.
      forgetAnswers(changes);
      if (outcome.kind !== 'answer') {
        setNotice(problemNotice(outcome));
        return null;
      }
      setNotice({ kind: 'info', text: typeof done === 'string' ? done : done(outcome.value) });
      return outcome.value;
    },
  };
}

/** A form for a write. A session that only reads sees a sentence in its place. */
export function ActionForm({
  label,
  action,
  onSend,
  submit,
  needsOwner = true,
  children,
}: {
  readonly label: string;
  readonly action: Action;
  readonly onSend: () => void;
  readonly submit: string;
  readonly needsOwner?: boolean;
  readonly children?: ComponentChildren;
}) {
  const session = useSession();
  if (needsOwner && session?.role === 'viewer')
    return <p class="caption">Your session only reads. An owner of the organisation can do this.</p>;
  return (
    <form
      class="fields"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
      <button type="submit" class="button" disabled={action.isBusy}>
        {action.isBusy ? 'Sending …' : submit}
      </button>
      <Notice notice={action.notice} />
    </form>
  );
}

export function Field({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

const CONFIRM_MS = 4_000;

/** A button that acts on its second click within four seconds. */
export function ConfirmButton({
  text,
  label,
  onConfirm,
  isBusy = false,
}: {
  readonly text: string;
  /** Names the object for screen readers. */
  readonly label: string;
  readonly onConfirm: () => void;
  readonly isBusy?: boolean;
}) {
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (!asks) return;
    const timer = setTimeout(() => setAsks(false), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [asks]);
  const press = () => {
    if (asks) onConfirm();
    setAsks(!asks);
  };
  return (
    <button
      type="button"
      class={`tool ${asks ? 'bad' : ''}`}
      aria-label={asks ? `Confirm: ${label}` : label}
      disabled={isBusy}
      onClick={press}
    >
      {asks ? `${text}: sure?` : text}
    </button>
  );
}

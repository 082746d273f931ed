import '../style/forms.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ReadId } from '../api/operations.js';
import { callWrite, type Outcome } from '../api/read.js';
import { useSession } from '../api/session.js';
import { forgetAnswers } from '../api/use-read.js';
import { type Fault, FormFault, isAt } from './fields.js';
import { Notice, type NoticeText, problemNotice } from './notice.js';

export interface Action {
  readonly isBusy: boolean;
  readonly notice: NoticeText | null;
  /** The wrong value that the last refusal named. */
  readonly fault: Fault | null;
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
  const [fault, setFault] = useState<Fault | null>(null);
  return {
    isBusy,
    notice,
    fault,
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
      setFault(faultOf(outcome));
      if (outcome.kind !== 'answer') {
        setNotice(problemNotice(outcome));
        return null;
      }
      setNotice({ kind: 'info', text: typeof done === 'string' ? done : done(outcome.value) });
      return outcome.value;
    },
  };
}

/** The field and the sentence of `digest_send_hour_utc: expected at most 23, got 30.` */
function faultOf(outcome: Outcome<unknown>): Fault | null {
  if (outcome.kind !== 'refused' || outcome.status !== 400) return null;
  const [, field, text] = /^([\w.[\]]{1,80}): (.*)$/s.exec(outcome.detail) ?? [];
  return field === undefined || text === undefined ? null : { field, text };
}

/** A form for a write. A session that only reads sees a sentence in its place, or with `showsViewers` the values. */
export function ActionForm({
  label,
  action,
  onSend,
  submit,
  needsOwner = true,
  showsViewers = false,
  children,
}: {
  readonly label: string;
  readonly action: Action;
  readonly onSend: (form: HTMLFormElement) => void;
  readonly submit: string;
  readonly needsOwner?: boolean;
  readonly showsViewers?: boolean;
  readonly children?: ComponentChildren;
}) {
  const session = useSession();
  const form = useRef<HTMLFormElement>(null);
  const isMarked = useFaultyControl(form, action.fault);
  const isViewer = needsOwner && session?.role === 'viewer';
  const refusal = <p class="caption">Your session only reads. An owner of the organisation can do this.</p>;
  if (isViewer && !showsViewers) return refusal;
  return (
    <form
      ref={form}
      class="fields"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(event.currentTarget);
      }}
    >
      <FormFault.Provider value={action.fault}>
        {showsViewers ? (
          <fieldset class="values" disabled={isViewer}>
            {children}
          </fieldset>
        ) : (
          children
        )}
      </FormFault.Provider>
      {isViewer ? (
        refusal
      ) : (
        <button type="submit" class="button" disabled={action.isBusy}>
          {action.isBusy ? 'Sending …' : submit}
        </button>
      )}
      <Notice
        notice={isMarked ? { kind: 'warning', text: 'Not done: a field has a wrong value.' } : action.notice}
      />
    </form>
  );
}

/** Marks and focuses the control with the fault. @returns whether the form has it. */
function useFaultyControl(form: { readonly current: HTMLFormElement | null }, fault: Fault | null): boolean {
  const [isFound, setFound] = useState(false);
  useLayoutEffect(() => {
    const controls = [...(form.current?.elements ?? [])];
    const faulty = controls.find((each) => fault !== null && isAt(fault, each.getAttribute('name') ?? ''));
    setFound(faulty !== undefined);
    if (!(faulty instanceof HTMLElement)) return;
    faulty.setAttribute('aria-invalid', 'true');
    faulty.focus();
    return () => faulty.removeAttribute('aria-invalid');
  }, [fault]);
  return isFound;
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

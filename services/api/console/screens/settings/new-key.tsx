import { useState } from 'preact/hooks';
import { callConsole } from '../../api/read.js';
import { Field } from '../../parts/action.js';
import { CodeBlock } from '../../parts/code-block.js';
import { Notice, problemNotice } from '../../parts/notice.js';

/** Makes an API key, and shows it once. */
export function NewKey({ onMade }: { readonly onMade: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'read' | 'read_write'>('read');
  const [made, setMade] = useState<string | null>(null);
  const [failure, setFailure] = useState<ReturnType<typeof problemNotice> | null>(null);
  const make = async () => {
    const outcome = await callConsole<{ api_key: string }>('console/keys', { name, scope });
    setFailure(outcome.kind === 'answer' ? null : problemNotice(outcome));
    setMade(outcome.kind === 'answer' ? outcome.value.api_key : null);
    if (outcome.kind === 'answer') setName('');
    onMade();
  };
  return (
    <>
      <h3>New API key</h3>
      <form
        class="fields"
        aria-label="New API key"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Field label="Name">
          <input
            type="text"
            required
            maxLength={200}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <Field label="May">
          <select
            value={scope}
            onChange={(event) => setScope(event.currentTarget.value as 'read' | 'read_write')}
          >
            <option value="read">read</option>
            <option value="read_write">read and write</option>
          </select>
        </Field>
        <button type="submit" class="button">
          Make the key
        </button>
        <Notice notice={failure} />
      </form>
      {made === null ? null : (
        <>
          <p role="status">This is the only time the key is shown.</p>
          <CodeBlock title="API key" text={made} />
        </>
      )}
    </>
  );
}

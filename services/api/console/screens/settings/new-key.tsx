import { useState } from 'preact/hooks';
import { ActionForm, useAction } from '../../parts/action.js';
import { CodeBlock } from '../../parts/code-block.js';
import { SelectField, TextField } from '../../parts/fields.js';

const scopes = [
  ['read', 'read'],
  ['read_write', 'read and write'],
] as const;

/** Makes an API key, and shows it once. */
export function NewKey({ onMade }: { readonly onMade: () => void }) {
  const action = useAction([]);
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'read' | 'read_write'>('read');
  const [made, setMade] = useState<string | null>(null);
  const make = async () => {
    const answer = await action.send<{ api_key: string }>(
      'POST',
      'console/keys',
      { name, scope },
      'This is the only time the key is shown.',
    );
    setMade(answer?.api_key ?? null);
    if (answer !== null) setName('');
    onMade();
  };
  return (
    <>
      <h3>New API key</h3>
      <ActionForm label="New API key" action={action} onSend={() => void make()} submit="Make the key">
        <TextField label="Name" name="name" required maxLength={200} value={name} onChange={setName} />
        <SelectField label="May" name="scope" options={scopes} value={scope} onChange={setScope} />
      </ActionForm>
      {made === null ? null : <CodeBlock title="API key" text={made} />}
    </>
  );
}

import { useState } from 'preact/hooks';
import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { ActionForm, useAction } from '../../parts/action.js';
import { Field } from '../../parts/fields.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';
import { RuleList } from './rule-list.js';
import type { Rule } from './rule-matches.js';
import { RulePreview } from './rule-preview.js';
import { SEGMENT_READS } from './segment-list.js';

type Segment = Answer<'listSegments'>['segments'][number];
type Saved = Pick<Segment, 'segment_id' | 'name'>;

const FIRST: readonly Rule[] = [{ type: 'prefix', value: '/' }];

/** A new segment, or the one of the address. */
export function EditSegment() {
  const { address, link } = useAddress();
  const { website } = useWebsite();
  const segments = useRead('listSegments', website, {}, { when: website !== null });
  const { edit } = address.rest;
  const edited = segments.answer?.segments.find(({ segment_id }) => segment_id === edit) ?? null;
  if (edit !== undefined && edited === null) return null;
  return (
    <Panel
      title={edited === null ? 'New segment' : 'Change the segment'}
      caption="requests that match one of the rules and none of the exclusions, in all history"
    >
      <SegmentForm key={edit ?? ''} edited={edited} />
      {edited === null ? <Library /> : <a href={link({ rest: { tab: 'segments' } })}>a new segment</a>}
    </Panel>
  );
}

/** The form keeps its content after saving. */
function SegmentForm({ edited }: { readonly edited: Segment | null }) {
  const { website } = useWebsite();
  const action = useAction(SEGMENT_READS);
  const [name, setName] = useState(edited?.name ?? '');
  const [rules, setRules] = useState<readonly Rule[]>(edited?.rules ?? FIRST);
  const [excluded, setExcluded] = useState<readonly Rule[]>(edited?.exclude_rules ?? []);
  const [saved, setSaved] = useState<Saved | null>(edited);
  const path = `/websites/${website}/segments`;
  const save = async () => {
    const fields = { name, rules, exclude_rules: excluded };
    const kept =
      edited === null
        ? {}
        : { colour: edited.colour, parent_id: edited.parent_id, notes: edited.notes, order: edited.order };
    const answer = await action.send<{ segment: Saved }>(
      saved === null ? 'POST' : 'PUT',
      saved === null ? path : `${path}/${encodeURIComponent(saved.segment_id)}`,
      { ...kept, ...fields },
      `“${name}” is saved.`,
    );
    if (answer !== null) setSaved(answer.segment);
  };
  const startAnew = () => {
    setSaved(null);
    setName('');
    setRules(FIRST);
    setExcluded([]);
  };
  return (
    <>
      <ActionForm
        label={edited === null ? 'New segment' : 'Change the segment'}
        action={action}
        onSend={() => void save()}
        submit={saved === null ? 'Save the segment' : 'Save the changes'}
      >
        <Field label="Name" name="name">
          <input
            type="text"
            required
            maxLength={60}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <RuleList title="Requests that match" name="rules" rules={rules} least={1} onChange={setRules} />
        <RuleList
          title="But not those that match"
          name="exclude_rules"
          rules={excluded}
          least={0}
          onChange={setExcluded}
        />
      </ActionForm>
      {saved === null ? null : <UseIt saved={saved} onNew={edited === null ? startAnew : null} />}
      <RulePreview rules={rules} excluded={excluded} />
    </>
  );
}

function UseIt({ saved, onNew }: { readonly saved: Saved; readonly onNew: (() => void) | null }) {
  const { address, go } = useAddress();
  const isUsed = address.segment === saved.segment_id;
  return (
    <p class="choices-line">
      <button
        type="button"
        class="button"
        disabled={isUsed}
        onClick={() => go({ segment: saved.segment_id })}
      >
        {isUsed ? 'Every screen is filtered by it' : 'Use it now'}
      </button>
      {onNew === null ? null : (
        <button type="button" class="tool" onClick={onNew}>
          another segment
        </button>
      )}
    </p>
  );
}

function Library() {
  const { website } = useWebsite();
  const library = useAction(SEGMENT_READS);
  return (
    <ActionForm
      label="Segment library"
      action={library}
      onSend={() =>
        void library.send<{ added: string[] }>(
          'POST',
          `/websites/${website}/segments/library`,
          {},
          ({ added }) => (added.length === 0 ? 'All of them exist already.' : `Added: ${added.join(', ')}.`),
        )
      }
      submit="Add the usual segments"
    />
  );
}

import { useState } from 'preact/hooks';
import { head } from '../../../../../shared/text-head.js';
import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { logText } from '../../format.js';
import { ActionForm, useAction } from '../../parts/action.js';
import { TextField } from '../../parts/fields.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';
import { RuleList } from './rule-list.js';
import type { Rule } from './rule-matches.js';
import { RulePreview } from './rule-preview.js';
import { SEGMENT_READS } from './segment-list.js';

type Segment = Answer<'listSegments'>['segments'][number];
type Saved = Pick<Segment, 'segment_id' | 'name'>;

/** The first values of a new segment. */
type Draft = Pick<Segment, 'name' | 'rules' | 'exclude_rules'>;

const EVERYTHING: Draft = { name: '', rules: [{ type: 'prefix', value: '/' }], exclude_rules: [] };
const MOST_NAME = 60;

function withoutPath(used: Segment | null, path: string, by: string | undefined): Draft {
  const { name, rules, exclude_rules } = used ?? { ...EVERYTHING, name: 'all' };
  return {
    name: head(`${name} without ${logText(path)}`, MOST_NAME),
    rules,
    exclude_rules: [...exclude_rules, { type: by === 'prefix' ? 'prefix' : 'exact', value: path }],
  };
}

/** A new segment, or the one of the address. */
export function EditSegment() {
  const { address, link } = useAddress();
  const { website } = useWebsite();
  const segments = useRead('listSegments', website, {}, { when: website !== null });
  const { edit, without } = address.rest;
  const all = segments.answer?.segments ?? [];
  const edited = all.find(({ segment_id }) => segment_id === edit) ?? null;
  if (edit !== undefined && edited === null) return null;
  // A segment without a path begins with the rules of the segment in use.
  if (without !== undefined && segments.answer === null) return null;
  const used = all.find(({ segment_id }) => segment_id === address.segment) ?? null;
  const first = without === undefined ? EVERYTHING : withoutPath(used, without, address.rest.by);
  return (
    <Panel
      title={edited === null ? 'New segment' : 'Change the segment'}
      caption="requests that match one of the rules and none of the exclusions, in all history"
    >
      <SegmentForm key={`${edit} ${without}`} edited={edited} first={first} without={without ?? null} />
      {edited === null && without === undefined ? (
        <Library />
      ) : (
        <a href={link({ rest: { tab: 'segments' } })}>a new segment</a>
      )}
    </Panel>
  );
}

/** The form keeps its content after saving. */
function SegmentForm({
  edited,
  first,
  without,
}: {
  readonly edited: Segment | null;
  readonly first: Draft;
  /** The path or directory that the new segment leaves out. */
  readonly without: string | null;
}) {
  const { website } = useWebsite();
  const action = useAction(SEGMENT_READS);
  const [name, setName] = useState((edited ?? first).name);
  const [rules, setRules] = useState<readonly Rule[]>((edited ?? first).rules);
  const [excluded, setExcluded] = useState<readonly Rule[]>((edited ?? first).exclude_rules);
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
    setRules(EVERYTHING.rules);
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
        {without === null ? null : (
          <p class="notice info">
            Save it and use it to leave out {logText(without)}. A segment is seen by the whole organisation.
            Blocks that cannot apply a segment say so.
          </p>
        )}
        <TextField label="Name" name="name" required maxLength={MOST_NAME} value={name} onChange={setName} />
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

import { useState } from 'preact/hooks';
import { ActionForm, Field, useAction } from '../../parts/action.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';

/** Puts an entry on the timeline. */
export function AddEvent() {
  const { website } = useWebsite();
  const action = useAction(['listSiteEvents']);
  const [title, setTitle] = useState('');
  const [date, setDate] = useState(() => new Date().toISOString().slice(0, 10));
  const [time, setTime] = useState('');
  const [category, setCategory] = useState('');
  const add = async () => {
    const entry = {
      title,
      date,
      ...(time === '' ? {} : { time }),
      ...(category.trim() === '' ? {} : { category: category.trim() }),
    };
    const added = await action.send(
      'POST',
      `/websites/${website}/site-events`,
      entry,
      `“${title}” is on the timeline.`,
    );
    if (added !== null) setTitle('');
  };
  return (
    <Panel title="New entry" caption="a release, a campaign, a migration">
      <ActionForm label="New entry" action={action} onSend={() => void add()} submit="Add the entry">
        <Field label="What happened">
          <input
            type="text"
            required
            maxLength={200}
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </Field>
        <Field label="Day (UTC)">
          <input type="date" required value={date} onInput={(event) => setDate(event.currentTarget.value)} />
        </Field>
        <Field label="Time (UTC, optional)">
          <input type="time" value={time} onInput={(event) => setTime(event.currentTarget.value)} />
        </Field>
        <Field label="Category (optional)">
          <input
            type="text"
            maxLength={60}
            value={category}
            onInput={(event) => setCategory(event.currentTarget.value)}
          />
        </Field>
      </ActionForm>
    </Panel>
  );
}

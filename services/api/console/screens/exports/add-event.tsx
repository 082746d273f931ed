import { useState } from 'preact/hooks';
import { ActionForm, useAction } from '../../parts/action.js';
import { TextField } from '../../parts/fields.js';
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
        <TextField
          label="What happened"
          name="title"
          required
          maxLength={200}
          value={title}
          onChange={setTitle}
        />
        <TextField label="Day (UTC)" name="date" type="date" required value={date} onChange={setDate} />
        <TextField label="Time (UTC, optional)" name="time" type="time" value={time} onChange={setTime} />
        <TextField
          label="Category (optional)"
          name="category"
          maxLength={60}
          value={category}
          onChange={setCategory}
        />
      </ActionForm>
    </Panel>
  );
}

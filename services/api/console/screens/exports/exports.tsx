import '../../style/lists.css';
import '../../style/screen-parts.css';
import { logText } from '../../format.js';
import { Tabs, useTab } from '../../parts/tabs.js';
import { useWebsite } from '../../parts/website.js';
import { AddEvent } from './add-event.js';
import { AskForExport } from './ask-for-export.js';
import { AskForReport } from './ask-for-report.js';
import { EditSegment } from './edit-segment.js';
import { ExportList } from './export-list.js';
import { SegmentList } from './segment-list.js';
import { Timeline } from './timeline.js';

const tabs = [
  { name: 'exports', title: 'Exports and reports' },
  { name: 'segments', title: 'Segments' },
  { name: 'timeline', title: 'Timeline' },
] as const;

/** Files to take away, segments of pages, and the timeline of the website. */
export function Exports() {
  const { domain } = useWebsite();
  const tab = useTab(tabs);
  return (
    <>
      <h1 class="visually-hidden">Exports, segments and timeline of {logText(domain ?? '')}</h1>
      <Tabs tabs={tabs} label="Exports" />
      {tab === 'segments' ? (
        <>
          <SegmentList />
          <EditSegment />
        </>
      ) : tab === 'timeline' ? (
        <>
          <AddEvent />
          <Timeline />
        </>
      ) : (
        <>
          <div class="columns">
            <AskForExport />
            <AskForReport />
          </div>
          <ExportList />
        </>
      )}
    </>
  );
}

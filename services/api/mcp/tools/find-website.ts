import { nearest } from '../nearest.js';
import { ToolRefusal } from '../tool-refusal.js';
import { operationOf, type ToolContext } from './tool.js';

interface Listed {
  readonly id: string;
  readonly domain: string;
}

const ID = /^web_[\da-f]{1,64}$/;
const MOST_SHOWN = 30;

/**
 * The id of the website that is meant: by id, by domain, or the only one.
 * @throws ToolRefusal with the list
 */
export async function findWebsite(given: string | undefined, context: ToolContext): Promise<string> {
  if (given !== undefined && ID.test(given)) return given;
  const { json } = await context.call(operationOf(context, 'listWebsites'), {});
  const websites = json.websites as readonly Listed[];
  if (given === undefined && websites.length === 1) return websites[0]!.id;
  const wanted = given === undefined ? undefined : hostOf(given);
  const found = websites.filter(({ domain }) => domain.toLowerCase() === wanted);
  if (found.length === 1) return found[0]!.id;
  if (websites.length === 0)
    throw new ToolRefusal(
      'There is no website yet. The operation createWebsite makes one, and getSetup shows how to send its logs.',
    );
  throw new ToolRefusal(
    given === undefined ? 'Which website? Set website to one of these.' : 'website: none of this name.',
    {
      detail: listOf(wanted, websites),
    },
  );
}

/** Takes an address too. It searches once: the text may be as long as a body. */
function hostOf(given: string): string {
  const [host = ''] = given
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split('/', 1);
  return host;
}

function listOf(wanted: string | undefined, websites: readonly Listed[]): string {
  const shown = websites.slice(0, MOST_SHOWN).map(({ id, domain }) => `${domain} (${id})`);
  const more = websites.length > MOST_SHOWN ? `, and ${websites.length - MOST_SHOWN} more` : '';
  const near =
    wanted === undefined
      ? null
      : nearest(
          wanted,
          websites.map(({ domain }) => domain),
        );
  return `${near === null ? '' : `Nearest: ${near}. `}Websites: ${shown.join(', ')}${more}`;
}

interface Segment {
  readonly segment_id: string;
  readonly name: string;
}

/**
 * The id of the segment that is meant, by id or by name. The API ignores an unknown one, and its figures would be of all pages.
 * @throws ToolRefusal with the names of the segments
 */
export async function findSegment(
  given: string | undefined,
  website_id: string,
  context: ToolContext,
): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const { json } = await context.call(operationOf(context, 'listSegments'), { website_id });
  const segments = json.segments as readonly Segment[];
  const wanted = given.toLowerCase();
  if (segments.some(({ segment_id }) => segment_id === given)) return given;
  const named = segments.filter(({ name }) => name.toLowerCase() === wanted);
  if (named.length > 1)
    throw new ToolRefusal('segment: several have this name. Give the id of one.', {
      detail: named
        .slice(0, MOST_SHOWN)
        .map(({ segment_id, name }) => `${name} (${segment_id})`)
        .join(', '),
    });
  if (named.length === 1) return named[0]!.segment_id;
  const near = nearest(
    given,
    segments.map(({ name }) => name),
  );
  throw new ToolRefusal(
    segments.length === 0 ? 'segment: this website has none. Leave it out.' : 'segment: none of this name.',
    {
      detail: `${near === null ? '' : `Nearest: ${near}. `}Segments: ${segments
        .slice(0, MOST_SHOWN)
        .map(({ name }) => name)
        .join(', ')}`,
    },
  );
}

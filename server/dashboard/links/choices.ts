import type { Sql } from 'postgres';
import { listCampaigns } from '../../../db/campaigns/campaigns.ts';
import { listBatches } from '../../../db/deliveries/batches.ts';
import type { LinkContent } from '../../../db/deliveries/data-links.ts';
import { listLists } from '../../../db/tracking/lists.ts';
import { showsOf } from '../../../pipeline/links/input.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { dayText } from '../../design/dates.ts';

/** One option of the form field "Data", in which the user chooses what a data link shows. */
export type ContentChoice = readonly [value: string, label: string];

/**
 * Maximum number of bulk analyses, and also of campaigns, that the user can choose for a data link. The newest are
 * offered.
 */
const maxOffered = 50;
const sections = { totals: 'totals', items: 'items', series: 'chart values' } as const;

/** Returns everything that a data link of the workspace can show. */
export async function linkChoices(sql: Sql, workspaceId: string): Promise<ContentChoice[]> {
  const [lists, batches, campaigns] = await Promise.all([
    listLists(sql, workspaceId),
    listBatches(sql, workspaceId, { limit: maxOffered }),
    listCampaigns(sql, workspaceId, null, { limit: maxOffered, offset: 0 }),
  ]);
  return [
    ['list', 'All tracked items: newest values'],
    ['history', 'All tracked items: history'],
    ...lists.flatMap(({ list_id, name }): ContentChoice[] => [
      [`list:${list_id}`, `List ${name}: newest values`],
      [`history:${list_id}`, `List ${name}: history`],
    ]),
    ...campaigns.flatMap(({ campaign_id, name }): ContentChoice[] =>
      Object.entries(sections).map(([section, label]) => [
        `report:${campaign_id}:${section}`,
        `Report of ${name}: ${label}`,
      ]),
    ),
    ...batches.map(
      ({ batch_id, name, created_at }): ContentChoice => [
        `batch:${batch_id}`,
        `Bulk analysis ${name ?? `of ${dayText(created_at)}`}`,
      ],
    ),
    ['profiles', 'Profiles from the list below'],
    ['posts', 'Latest posts of the profiles in the list below'],
  ];
}

const kinds: Record<LinkContent['kind'], string> = {
  list: 'Tracked items: newest values',
  history: 'Tracked items: history',
  batch: 'Bulk analysis',
  report: 'Campaign report',
  profiles: 'Profiles',
  posts: 'Latest posts',
};

/**
 * Returns the name of what a data link shows, such as the name of a list. Returns only the type, such as `Bulk
 * analysis`, when the data was deleted or is not in `choices`.
 */
export function contentLabel(content: LinkContent, choices: readonly ContentChoice[]): string {
  if ('urls' in content) {
    const { length } = content.urls;
    return `${kinds[content.kind]} of ${quantity(length, 'profile')}`;
  }
  const shows = showsOf(content);
  const label = choices.find(([value]) => value === shows)?.[1] ?? kinds[content.kind];
  return 'week' in content ? `${label}, week from ${content.week}` : label;
}

/**
 * Returns the choices, with the value `wanted` added when it is missing, because `choices` contains only the newest
 * campaigns and bulk analyses.
 */
export function withWanted(choices: readonly ContentChoice[], wanted: string): readonly ContentChoice[] {
  const kind = wanted.split(':')[0] ?? '';
  if (choices.some(([value]) => value === wanted) || !Object.hasOwn(kinds, kind)) return choices;
  return [[wanted, kinds[kind as LinkContent['kind']]], ...choices];
}

import type { Sql } from 'postgres';
import { dayMs } from '../../db/durations.ts';
import type { NotClaimed } from '../../db/tracking/checks.ts';
import {
  addItem,
  type ItemStatus,
  listItems,
  removeItem,
  setStatuses,
  type TrackedItem,
} from '../../db/tracking/items.ts';
import {
  changeWorkSettings,
  readWorkSettings,
  refusedChange,
  type WorkSettings,
  type WorkSettingsChange,
} from '../../db/tracking/work-settings.ts';
import { createLinkResolver, isShortLink, resolveAll } from '../../pipeline/collect/short-links.ts';
import { createSources } from '../../pipeline/create-sources.ts';
import { quantity } from '../../pipeline/quantity.ts';
import type { JobLog } from '../../pipeline/queue/job.ts';
import { handleAddress, platforms } from '../../pipeline/rows/profile-address.ts';
import { tiers } from '../../pipeline/tiers.ts';
import type { Checked } from '../../pipeline/tracking/check-item.ts';
import { checkByHand } from '../../pipeline/tracking/manual-check.ts';
import { trackable } from '../../pipeline/tracking/tracked-kinds.ts';
import {
  type Command,
  type Context,
  commandId,
  existingWorkspace,
  lines,
  noWorkspace,
  type Result,
  textTable,
  UsageError,
  wholeNumber,
  wrongUse,
} from './command.ts';
import { withJobContext } from './queue.ts';

const noItem = (workspaceId: string, itemId: string) =>
  new UsageError(`Workspace ${workspaceId} tracks no item ${itemId}: \`tracking list WORKSPACE_ID\` shows its items.`);

export const trackingAdd: Command = {
  name: 'tracking add',
  usage: 'WORKSPACE_ID URL [--platform P]',
  does: 'tracks an account, post, video or channel, up to the limit of the tier; with --platform, a handle works too',
  args: ['WORKSPACE_ID', 'URL'],
  options: ['platform'],
  async run(context) {
    const { workspace_id, tier } = await existingWorkspace(trackingAdd, 'WORKSPACE_ID', context);
    const url = await readAddress(context);
    const parsed = trackable(url);
    if (!parsed.ok) throw new UsageError(parsed.message);
    const { tracked_items, daily_checks } = tiers[tier];
    const added = await addItem(context.db.sql, workspace_id, { url, ...parsed.item }, tracked_items);
    const limit = quantity(tracked_items, 'item');
    if (added.outcome === 'full')
      throw new UsageError(`The tier ${tier} can track at most ${limit}: remove one first.`);
    const shown = { ...added, ...parsed.item, checks: daily_checks ? 'daily' : 'manual only' };
    return { json: shown, text: lines(shown) };
  },
};

/**
 * Returns the URL of the item to track. The command names the item by a URL, a short link, or a handle with --platform.
 */
async function readAddress({ args, options, config, now }: Context): Promise<string> {
  const url = args[1] as string;
  const platform = platforms.find((name) => name === options.platform);
  if (options.platform !== undefined && platform === undefined) {
    throw wrongUse(trackingAdd, `--platform must be one of ${platforms.join(', ')}.`);
  }
  const address = platform ? handleAddress(platform, url) : url;
  if (!isShortLink(address)) return address;
  const { texts, failures } = await resolveAll([address], createLinkResolver(createSources(config, now)));
  for (const { message } of failures.values()) throw new UsageError(message);
  return texts[0] as string;
}

export const trackingList: Command = {
  name: 'tracking list',
  usage: 'WORKSPACE_ID',
  does: 'lists the tracked items, and when each can be checked again',
  args: ['WORKSPACE_ID'],
  options: [],
  async run(context) {
    const { workspace_id } = await existingWorkspace(trackingList, 'WORKSPACE_ID', context);
    const rows = (await listItems(context.db.sql, workspace_id)).map(itemRow);
    return { json: rows, text: textTable(rows) };
  },
};

function itemRow({
  item_id,
  platform,
  kind,
  identifier,
  name,
  status,
  identity_changed,
  last_attempt_at,
}: TrackedItem) {
  const nextAttemptAt = last_attempt_at && new Date(last_attempt_at.getTime() + dayMs);
  return {
    item_id,
    platform,
    kind,
    identifier,
    name,
    status,
    identity_changed,
    last_attempt_at,
    next_attempt_at: nextAttemptAt,
  };
}

export const trackingCheck: Command = {
  name: 'tracking check',
  usage: 'WORKSPACE_ID ITEM_ID',
  does: 'checks an item now, for 1 credit when it succeeds; exit code 1 when it fails',
  args: ['WORKSPACE_ID', 'ITEM_ID'],
  options: [],
  async run(context) {
    const { workspace_id } = await existingWorkspace(trackingCheck, 'WORKSPACE_ID', context);
    const itemId = commandId(trackingCheck, 'ITEM_ID', context.args[1] as string);
    const nextAttemptAt = new Date(context.now().getTime() + dayMs);
    const checked = await withJobContext(context, toStderr, (own) =>
      checkByHand({ workspace_id, item_id: itemId }, own, own.signal),
    );
    if (!checked.attempted && checked.reason === 'unknown') throw noItem(workspace_id, itemId);
    return checkResult(itemId, checked, nextAttemptAt);
  },
};

const write = (details: object, message: string) => console.error(message, details);
const toStderr: JobLog = { info: write, warn: write, error: write };

const reasons: Record<Exclude<NotClaimed, 'unknown'>, string> = {
  too_early: 'Each item can be checked once every 24 hours.',
  paused: 'The item is paused: resume it with tracking resume.',
  workspace_paused:
    'Tracking, bulk analyses and sheet imports of this workspace are paused: set tracking settings --paused false.',
  cap_reached: 'The monthly cap is reached: raise it with tracking settings --cap N.',
  no_credits: 'The workspace has no credits left: add some with credits grant.',
};

function checkResult(itemId: string, checked: Checked, afterThis: Date): Result {
  if (!checked.attempted) {
    const { attempted, reason, next_attempt_at } = checked;
    const message = reason === 'unknown' ? null : reasons[reason];
    const shown = { item_id: itemId, attempted, reason, message, next_attempt_at };
    return { json: shown, text: lines(shown), exit_code: 1 };
  }
  const { attempted, outcome, credits, balance: creditsRemaining, message } = checked;
  const shown = {
    item_id: itemId,
    attempted,
    outcome,
    credits,
    credits_remaining: creditsRemaining,
    message,
    next_attempt_at: afterThis,
  };
  return { json: shown, text: lines(shown), exit_code: outcome === 'OK' ? 0 : 1 };
}

const statusCommand = (word: string, status: ItemStatus, does: string): Command => {
  const command: Command = {
    name: `tracking ${word}`,
    usage: 'WORKSPACE_ID ITEM_ID',
    does,
    args: ['WORKSPACE_ID', 'ITEM_ID'],
    options: [],
    run: (context) =>
      changeItem(
        command,
        context,
        { status },
        async (sql, workspaceId, itemId) => (await setStatuses(sql, workspaceId, [itemId], status)) === 1,
      ),
  };
  return command;
};

export const trackingPause = statusCommand('pause', 'paused', 'stops the checks of an item until it is resumed');
export const trackingResume = statusCommand('resume', 'active', 'resumes the checks of a paused item');

export const trackingRemove: Command = {
  name: 'tracking remove',
  usage: 'WORKSPACE_ID ITEM_ID',
  does: 'deletes an item and its whole history permanently',
  args: ['WORKSPACE_ID', 'ITEM_ID'],
  options: [],
  run: (context) => changeItem(trackingRemove, context, { removed: true }, removeItem),
};

async function changeItem(
  command: Command,
  context: Context,
  shown: object,
  change: (sql: Sql, workspaceId: string, itemId: string) => Promise<boolean>,
): Promise<Result> {
  const { workspace_id } = await existingWorkspace(command, 'WORKSPACE_ID', context);
  const itemId = commandId(command, 'ITEM_ID', context.args[1] as string);
  if (!(await change(context.db.sql, workspace_id, itemId))) throw noItem(workspace_id, itemId);
  return { json: { item_id: itemId, ...shown }, text: lines({ item_id: itemId, ...shown }) };
}

export const trackingSettings: Command = {
  name: 'tracking settings',
  usage: 'WORKSPACE_ID [--cap N|none] [--paused true|false] [--low-balance N|none]',
  does: 'shows or sets the monthly cap of tracking, bulk analyses and sheet imports, their pause, and the low-balance alert',
  args: ['WORKSPACE_ID'],
  options: ['cap', 'paused', 'low-balance'],
  async run(context) {
    const { workspace_id } = await existingWorkspace(trackingSettings, 'WORKSPACE_ID', context);
    const settings = await settingsAfter(workspace_id, changeOf(context.options), context);
    return { json: settings, text: lines(settings) };
  },
};

function changeOf({ cap, paused, 'low-balance': lowBalance }: Context['options']): WorkSettingsChange {
  const amount = (name: string, text: string) => (text === 'none' ? null : wholeNumber(trackingSettings, name, text));
  const change: WorkSettingsChange = {
    ...(cap === undefined ? {} : { monthly_cap: amount('--cap', cap) }),
    ...(lowBalance === undefined ? {} : { low_balance_alert: amount('--low-balance', lowBalance) }),
    ...(paused === undefined ? {} : { paused: paused === 'true' }),
  };
  if (paused !== undefined && paused !== 'true' && paused !== 'false')
    throw wrongUse(trackingSettings, `--paused must be true or false, not "${paused}".`);
  const refused = refusedChange(change);
  if (refused !== null) throw wrongUse(trackingSettings, refused);
  return change;
}

async function settingsAfter(
  workspaceId: string,
  change: WorkSettingsChange,
  { db, now }: Context,
): Promise<WorkSettings> {
  const settings =
    Object.keys(change).length === 0
      ? await readWorkSettings(db.sql, workspaceId, now())
      : await changeWorkSettings(db.sql, workspaceId, change, now());
  if (!settings) throw noWorkspace(workspaceId);
  return settings;
}

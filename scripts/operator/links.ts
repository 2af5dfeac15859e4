import { addAudit } from '../../db/accounts/audit.ts';
import { findWorkspace } from '../../db/accounts/workspaces.ts';
import { addDataLink, listDataLinks, maxDataLinks, revokeDataLink } from '../../db/deliveries/data-links.ts';
import { createLinkResolver, type LinkResolver } from '../../pipeline/collect/short-links.ts';
import { createSources } from '../../pipeline/create-sources.ts';
import { linkFormats, linkFormula, linkUrl } from '../../pipeline/links/addresses.ts';
import {
  type LinkInput,
  LinkInputError,
  readLinkInput,
  resolveAddresses,
  showsOf,
} from '../../pipeline/links/input.ts';
import {
  type Command,
  commandId,
  existingWorkspace,
  lines,
  noWorkspace,
  textTable,
  UsageError,
  wrongUse,
} from './command.ts';

export const linkCreate: Command = {
  name: 'link create',
  usage:
    'ID --shows list[:LIST]|history[:LIST]|batch:BATCH|report:CAMPAIGN:totals|items|series|profiles|posts --name N [--week DATE] [--urls URL,…] [--fields COLUMN,…] [--posts N] [--refresh 1d|3d|7d|14d|30d --cap N] [--expires DATE]',
  does: 'creates a data link of a workspace and shows its address once',
  args: ['ID'],
  options: ['shows', 'name', 'week', 'urls', 'fields', 'posts', 'refresh', 'cap', 'expires'],
  async run({ args, options, db, config, now }) {
    const workspaceId = commandId(linkCreate, 'ID', args[0] as string);
    if (!(await findWorkspace(db.sql, workspaceId))) throw noWorkspace(workspaceId);
    const { shows = '', name = '', week = '', posts = '', refresh = '', cap = '', expires = '' } = options;
    const links = createLinkResolver(createSources(config, now));
    const urls = listOf(options.urls);
    const typed = { label: name, shows, week, urls, fields: listOf(options.fields), posts, refresh, cap, expires };
    const input = await read(typed, links, now());
    const added = await addDataLink(db.sql, workspaceId, input, now());
    if (added.token === null) throw new UsageError(refusals[added.reason]);
    await addAudit(db.sql, workspaceId, { actor: 'operator', action: 'created a data link', subject: name }, now());
    const { token, link_id } = added;
    const addresses = linkFormats.map((format) => [format, linkUrl(config.base_url, token, format)] as const);
    const shown = { link_id, formula: linkFormula(config.base_url, token), ...Object.fromEntries(addresses) };
    return { json: shown, text: `${lines(shown)}\n\nSave the address now: it is not shown again.` };
  },
};

const refusals = {
  full: `A workspace can have ${maxDataLinks} active data links. Revoke one first.`,
  unknown:
    'This workspace does not have the list, batch or campaign of --shows, or the campaign has no report for --week.',
} as const;

const listOf = (text: string | undefined) => text?.split(',').filter((part) => part !== '') ?? [];

async function read(input: LinkInput, links: LinkResolver, now: Date) {
  try {
    return readLinkInput({ ...input, urls: await resolveAddresses(input.urls, links) }, now);
  } catch (error) {
    if (error instanceof LinkInputError) throw wrongUse(linkCreate, error.message);
    throw error;
  }
}

export const linkList: Command = {
  name: 'link list',
  usage: 'ID',
  does: 'lists the data links of a workspace with their reads',
  args: ['ID'],
  options: [],
  async run(context) {
    const { workspace_id } = await existingWorkspace(linkList, 'ID', context);
    const links = await listDataLinks(context.db.sql, workspace_id, context.now());
    const rows = links.map(({ link_id, content, ...link }) => ({ link_id, shows: showsOf(content), ...link }));
    return { json: links, text: textTable(rows) };
  },
};

export const linkRevoke: Command = {
  name: 'link revoke',
  usage: 'LINK_ID',
  does: 'revokes a data link immediately',
  args: ['LINK_ID'],
  options: [],
  async run({ args, db, now }) {
    const linkId = commandId(linkRevoke, 'LINK_ID', args[0] as string);
    const revoked = await revokeDataLink(db.sql, { workspace_id: null, link_id: linkId }, now());
    if (!revoked)
      throw new UsageError(
        `There is no active data link ${linkId}: \`link list WORKSPACE_ID\` shows the links of a workspace.`,
      );
    const { workspace_id, label: subject } = revoked;
    await addAudit(db.sql, workspace_id, { actor: 'operator', action: 'revoked a data link', subject }, now());
    return { json: { link_id: linkId, revoked: true }, text: `Data link ${linkId} no longer works.` };
  },
};

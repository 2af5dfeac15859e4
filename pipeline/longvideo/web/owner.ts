import { dig, toList, toText } from '../../parse/values.ts';
import { nodeText } from './text.ts';

/** Name and ID of the channel that owns a video, as a list on YouTube's website shows them. */
interface Owner {
  author: string | null;
  author_id: string | null;
}

export const noOwner: Owner = { author: null, author_id: null };

/**
 * Returns the owner of a video or playlist from its byline, the text with the channel's name in a YouTube list. Ignores
 * words without a link to a channel, such as `Album`. For a video of several channels (a collaboration), the byline
 * opens a dialog, and the first account in the dialog is the owner. Both fields are null when the owner is unclear.
 */
export function bylineOwner(byline: unknown): Owner {
  const runs = toList(dig(byline, 'runs')) ?? [];
  const dialog = runs.map((run) => dig(run, 'navigationEndpoint')).find(opensDialog);
  if (dialog !== undefined) return dialogOwner(dialog);
  const named = runs.filter((run) => linkedChannel(dig(run, 'navigationEndpoint')) !== null);
  const [authorId = null, ...others] = new Set(named.map((run) => linkedChannel(dig(run, 'navigationEndpoint'))));
  if (others.length > 0) return noOwner;
  return { author: nodeText(authorId === null ? byline : { runs: named }), author_id: authorId };
}

/**
 * Returns the owner of a video from a text with links, by the rules of {@link bylineOwner}. Undefined when no link in
 * the text leads to a channel.
 */
export function textOwner(text: unknown): Owner | undefined {
  const commands = (toList(dig(text, 'commandRuns')) ?? []).map((run) => dig(run, 'onTap', 'innertubeCommand'));
  const dialog = commands.find(opensDialog);
  if (dialog !== undefined) return dialogOwner(dialog);
  const ids = new Set(commands.map(linkedChannel).filter((id) => id !== null));
  if (ids.size === 0) return undefined;
  return ids.size > 1 ? noOwner : { author: toText(dig(text, 'content')), author_id: [...ids][0] ?? null };
}

/**
 * Returns the owner of a collaboration from the dialog that the pictures of its channels open. Both fields are null for
 * any other picture.
 */
export function picturesOwner(picture: unknown): Owner {
  const command = dig(
    picture,
    'avatarStackViewModel',
    'rendererContext',
    'commandContext',
    'onTap',
    'innertubeCommand',
  );
  return dialogOwner(command);
}

/** Returns the owner of a video: the first account in the dialog that the command opens. */
function dialogOwner(command: unknown): Owner {
  const dialog = dig(command, 'showDialogCommand', 'panelLoadingStrategy', 'inlineContent', 'dialogViewModel');
  const items = toList(dig(dialog, 'customContent', 'listViewModel', 'listItems')) ?? [];
  const first = dig(items[0], 'listItemViewModel');
  const taps = [
    dig(first, 'rendererContext', 'commandContext', 'onTap', 'innertubeCommand'),
    dig(first, 'title', 'commandRuns', 0, 'onTap', 'innertubeCommand'),
  ];
  const authorId = taps.map(linkedChannel).find((id) => id !== null) ?? null;
  const author = toText(dig(first, 'title', 'content'));
  return author === null || authorId === null ? noOwner : { author, author_id: authorId };
}

function opensDialog(command: unknown): boolean {
  return dig(command, 'showDialogCommand') !== undefined;
}

/** Returns the ID of the YouTube channel to which an endpoint links. Null when it does not link to a channel. */
function linkedChannel(endpoint: unknown): string | null {
  const id = toText(dig(endpoint, 'browseEndpoint', 'browseId'));
  return id?.startsWith('UC') ? id : null;
}

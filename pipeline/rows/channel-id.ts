import { dataIn, type ReadAnswer } from '../collect/stored-answer.ts';
import { dig } from '../parse/values.ts';

/** The error for a YouTube channel whose answer does not contain the ID of the channel. */
export const noChannelId = {
  code: 'SOURCE_RESPONSE_CHANGED',
  message: 'YouTube did not return the ID of this channel: use a link like youtube.com/channel/UC….',
} as const;

/** Returns the ID of the YouTube channel in an answer of the route for channels, or null when it has none. */
export function channelIdIn(channel: ReadAnswer): string | null {
  const id = dig(dataIn(channel), 'profile', 'id');
  return typeof id === 'string' ? id : null;
}

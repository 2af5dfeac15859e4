import { dataIn, type ReadAnswer } from '../collect/stored-answer.ts';
import { dig } from '../parse/values.ts';

/** The error for an answer about a YouTube channel that does not contain the ID of the channel. */
export const noChannelId = {
  code: 'SOURCE_RESPONSE_CHANGED',
  message: 'YouTube did not return the ID of this channel: use a link like youtube.com/channel/UC….',
} as const;

/** Returns the ID of the YouTube channel from an answer of the channel route; null when the answer has no ID. */
export function channelIdIn(channel: ReadAnswer): string | null {
  const id = dig(dataIn(channel), 'profile', 'id');
  return typeof id === 'string' ? id : null;
}

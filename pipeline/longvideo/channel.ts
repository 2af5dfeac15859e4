import type { Source, SourceContext } from '../collect/collect.ts';
import { SourceError } from '../errors.ts';
import type { LongvideoChannel } from '../records/longvideo.ts';
import { type ChannelSelector, officialChannel } from './data-api/channel.ts';
import { dataApiSource } from './data-api/client.ts';
import type { LongvideoChannelParams } from './params.ts';
import { type Surfaces, surfacesOfService } from './surfaces.ts';
import { resolvedChannelId, webChannel } from './web/channel.ts';
import { longvideoWebName } from './web/innertube.ts';

/**
 * The source that collects channels from the YouTube Data API. The API cannot look up custom names, so
 * YouTube's public website converts them to channel IDs.
 */
export const officialChannelSource: Source<LongvideoChannelParams, LongvideoChannel> = {
  ...dataApiSource,
  not_exposed: ['following', 'verified', 'external_url'],
  async collect(params, context) {
    const { api, web } = surfacesOfService(context);
    if (!('custom_name' in params)) return officialChannel(api, selectorOf(params), context);
    if (!context.config.keyless(longvideoWebName)) throw customNameError();
    return officialChannel(api, { id: await resolvedChannelId(web, params.custom_name, context) }, context);
  },
};

/**
 * The source that collects channels from YouTube's website, without credentials. The public page lacks some
 * fields, so the answers are partial.
 */
export const webChannelSource: Source<LongvideoChannelParams, LongvideoChannel> = {
  name: longvideoWebName,
  credentials: null,
  not_exposed: [
    'following',
    'private',
    'created_at_platform',
    'country_code',
    'default_language',
    'localized',
    'localizations',
    'total_views',
    'hidden_subscriber_count',
    'topic_ids',
    'topic_categories',
    'unsubscribed_trailer',
  ],
  async collect(params, context) {
    const { web } = surfacesOfService(context);
    const answer = await webChannel(web, await channelIdOf(web, params, context), context);
    return { ...answer, partial: true };
  },
};

type OfficialName = Exclude<LongvideoChannelParams, { custom_name: string }>;

function selectorOf(params: OfficialName): ChannelSelector {
  if ('channel_id' in params) return { id: params.channel_id };
  if ('username' in params) return { forUsername: params.username };
  return { forHandle: `@${plainHandle(params.handle)}` };
}

async function channelIdOf(
  web: Surfaces['web'],
  params: LongvideoChannelParams,
  context: SourceContext,
): Promise<string> {
  if ('channel_id' in params) return params.channel_id;
  if ('username' in params) return resolvedChannelId(web, `user/${params.username}`, context);
  if ('custom_name' in params) return resolvedChannelId(web, params.custom_name, context);
  return resolvedChannelId(web, `@${plainHandle(params.handle)}`, context);
}

function plainHandle(handle: string): string {
  return handle.replace(/^@/, '');
}

function customNameError(): SourceError {
  return new SourceError('SOURCE_NOT_CONFIGURED', {
    message: `Only the source ${longvideoWebName} can look up a custom channel name, and it is off on this server: use the channel ID or the handle.`,
  });
}

import type { Metric } from '../../db/schema/metrics.ts';

/** An invented account or post for a sample workspace, with its values on the last day and its growth over 60 days. */
export interface Invented {
  platform: 'photo' | 'shortvideo' | 'longvideo';
  kind: 'profile' | 'post' | 'video' | 'channel';
  /** The identifier of the tracked item, such as a handle or an ID. The handle of a channel begins with `@`. */
  handle: string;
  name: string;
  /** The counts (followers, likes, ...) on the last of the 60 days. */
  values: Partial<Record<Metric, number>>;
  /** Growth of the counts from the first to the last day as a share: 0.12 means 12%. Posts grow from 0. */
  growth: number;
  /** True when the account hides its likes, which Instagram allows. */
  hides_likes?: boolean;
}

const account = (
  platform: Invented['platform'],
  handle: string,
  name: string,
  followers: number,
  growth: number,
): Invented => {
  const posts = 120 + (followers % 380);
  const values =
    platform === 'longvideo'
      ? { followers, posts, total_views: followers * 214 }
      : { followers, following: 184, posts };
  return { platform, kind: platform === 'longvideo' ? 'channel' : 'profile', handle, name, values, growth };
};

const post = (platform: Invented['platform'], handle: string, name: string, views: number): Invented => {
  const [likes, comments] = [Math.round(views * 0.071), Math.round(views * 0.0034)];
  const shared =
    platform === 'shortvideo' ? { shares: Math.round(views * 0.009), favorites: Math.round(views * 0.013) } : {};
  return {
    platform,
    kind: platform === 'photo' ? 'post' : 'video',
    handle,
    name,
    values: { views, likes, comments, ...shared },
    growth: 1,
  };
};

/** The invented accounts and posts of a sample workspace. They do not exist on the platforms. */
export const invented: readonly Invented[] = [
  account('photo', 'sample.tide.bakery', 'Tide Bakery', 54_127, 0.123),
  account('photo', 'sample.oak.and.iron', 'Oak & Iron Furniture', 84_912, 0.021),
  account('photo', 'sample.salt.trail', 'Salt Trail Running', 412_006, -0.006),
  account('photo', 'sample.mira.bakes', 'Mira Bakes', 1_204_558, 0.048),
  account('shortvideo', 'sample.harbor.coffee', 'Harbor Coffee', 218_430, 0.214),
  account('shortvideo', 'sample.little.fern', 'Little Fern Studio', 98_744, 0.067),
  account('shortvideo', 'sample.night.market', 'Night Market', 731_902, 0.031),
  account('shortvideo', 'sample.quiet.peaks', 'Quiet Peaks', 56_203, -0.019),
  account('longvideo', '@sample-blue-lamp', 'Blue Lamp Books', 31_440, 0.055),
  account('longvideo', '@sample-field-notes', 'Field Notes Kitchen', 642_000, 0.012),
  account('longvideo', '@sample-north-lab', 'North Lab', 2_410_000, 0.009),
  account('longvideo', '@sample-paper-plane', 'Paper Plane Travel', 187_600, 0.083),
  post('photo', 'SampleLoaf', 'Sunday loaf, start to finish', 184_300),
  { ...post('photo', 'SampleTrail', 'Three trails before work', 96_120), hides_likes: true },
  post('shortvideo', '7000000000000000001', 'Latte art in one take', 2_841_900),
  post('shortvideo', '7000000000000000002', 'Night market in 30 seconds', 1_204_880),
  post('shortvideo', '7000000000000000003', 'Repotting the big fern', 318_450),
  post('longvideo', 'SampleVid01', 'A year of sourdough', 904_210),
  post('longvideo', 'SampleVid02', 'Ten books for winter', 141_730),
  post('longvideo', 'SampleVid03', 'Slow train to the north', 528_300),
];

/** Returns the URL of an invented account or post. */
export function inventedAddress({ platform, kind, handle }: Invented): string {
  const of = {
    photo: { profile: `instagram.com/${handle}/`, post: `instagram.com/p/${handle}/` },
    shortvideo: { profile: `tiktok.com/@${handle}`, video: `tiktok.com/@sample.harbor.coffee/video/${handle}` },
    longvideo: { channel: `youtube.com/${handle}`, video: `youtube.com/watch?v=${handle}` },
  } as Record<string, Record<string, string>>;
  return `https://www.${of[platform]?.[kind]}`;
}

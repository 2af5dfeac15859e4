/**
 * Invented accounts in the pictures. The handle `northern.lights.cafe` is in the sheet but not in this list, so that a
 * picture also shows a failed row.
 */
export const people = [
  {
    username: 'harbor.coffee',
    full_name: 'Harbor Coffee',
    followers: 128_430,
    following: 312,
    posts: 1_204,
    verified: true,
  },
  {
    username: 'oak.and.iron',
    full_name: 'Oak & Iron Furniture',
    followers: 84_912,
    following: 148,
    posts: 642,
    verified: false,
  },
  {
    username: 'salt.trail.running',
    full_name: 'Salt Trail Running',
    followers: 412_006,
    following: 87,
    posts: 2_310,
    verified: true,
  },
  {
    username: 'little.fern.studio',
    full_name: 'Little Fern Studio',
    followers: 9_874,
    following: 1_020,
    posts: 318,
    verified: false,
  },
  {
    username: 'mira.bakes',
    full_name: 'Mira Bakes',
    followers: 1_204_558,
    following: 402,
    posts: 3_981,
    verified: true,
  },
  { username: 'quiet.peaks', full_name: 'Quiet Peaks', followers: 56_203, following: 0, posts: 77, verified: false },
  {
    username: 'blue.door.books',
    full_name: 'Blue Door Books',
    followers: 31_440,
    following: 955,
    posts: 1_871,
    verified: false,
  },
] as {
  username: string;
  full_name: string;
  followers: number;
  following: number;
  posts: number;
  verified: boolean;
  is_private?: boolean;
}[];

/** The handles in the pictured sheet, in row order. */
export const handles = [
  ...people.slice(0, 4).map(({ username }) => username),
  'northern.lights.cafe',
  ...people.slice(4).map(({ username }) => username),
];

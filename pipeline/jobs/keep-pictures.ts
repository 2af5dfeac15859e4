import { dropPending, keepPicture, type PendingPicture, pendingPictures } from '../../db/media/pictures.ts';
import { pictureKeyOf } from '../media/addresses.ts';
import { createPictureFetcher, type FetchPicture, pictureLimits } from '../media/pictures.ts';
import type { Job, JobContext } from '../queue/job.ts';
import { waitForAll } from '../queue/wait-for-all.ts';

/** Maximum number of pictures that one run of the job fetches. The next run fetches more. */
const picturesARun = 200;
const picturesAtOnce = 4;
/**
 * Maximum bytes of a stored picture. A larger picture is not stored, so the dashboard can show it only until its URL on
 * the platform expires.
 */
const maxPictureBytes = 512 * 1024;
/** Maximum bytes of all stored pictures of a workspace together. */
const maxWorkspaceBytes = 200 * 1024 * 1024;

/**
 * Fetches and stores the pictures of tracked accounts and posts before their URLs on the platform expire. Costs no
 * credits.
 */
export const keepPictures: Job = {
  name: 'keep-pictures',
  schedule: '*/5 * * * *',
  items_per_run: 1,
  expire_seconds: 600,
  retries: 1,
  async run(_, context) {
    const fetchPicture = createPictureFetcher(context.sources.fetch, { ...pictureLimits, max_bytes: maxPictureBytes });
    const pending = await pendingPictures(context.db.sql, picturesARun);
    const waiting = pending.values();
    let kept = 0;
    const worker = async () => {
      for (const picture of waiting) {
        if (context.signal.aborted) return;
        if (await keep(picture, fetchPicture, context)) kept++;
      }
    };
    await waitForAll(Array.from({ length: picturesAtOnce }, worker));
    if (pending.length > 0) context.log.info({ kept, seen: pending.length }, 'pictures of tracked items fetched');
  },
};

async function keep(picture: PendingPicture, fetchPicture: FetchPicture, { db, now }: JobContext): Promise<boolean> {
  const { pending_url } = picture;
  const fetched = await fetchPicture(pending_url);
  const limits = { now: now(), workspace_bytes: maxWorkspaceBytes };
  const isKept =
    fetched !== null &&
    (await keepPicture(db.sql, { ...picture, ...fetched, ...limits, picture_key: pictureKeyOf(pending_url) }));
  if (!isKept) await dropPending(db.sql, picture);
  return isKept;
}

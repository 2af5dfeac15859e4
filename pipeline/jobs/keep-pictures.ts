import { dropPending, keepPicture, type PendingPicture, pendingPictures } from '../../db/media/pictures.ts';
import { pictureKeyOf } from '../media/addresses.ts';
import { createPictureFetcher, type FetchPicture, pictureLimits } from '../media/pictures.ts';
import type { Job, JobContext } from '../queue/job.ts';

/** Maximum number of pictures in one run. The rest is fetched by the next run. */
const picturesARun = 200;
const picturesAtOnce = 4;
/** Maximum bytes of one kept picture. A larger picture is not kept, so it is shown only until its address expires. */
const maxPictureBytes = 512 * 1024;
/** Maximum bytes of all kept pictures of a workspace. */
const maxWorkspaceBytes = 200 * 1024 * 1024;

/** Fetches the pictures of tracked items before their addresses expire, and stores them. Costs no credits. */
export const keepPictures: Job = {
  name: 'keep-pictures',
  tick: '*/5 * * * *',
  batch_size: 1,
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
    await Promise.all(Array.from({ length: picturesAtOnce }, worker));
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

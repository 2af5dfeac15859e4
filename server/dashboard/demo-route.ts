import { hourSeconds } from '../../db/durations.ts';

/** Path of the page that shows the result of the demo form. */
export const demoPath = '/try';

/** Limit of requests to the demo from one network. A person needs fewer requests. */
export const demoAllowance = { limit: 60, window_seconds: hourSeconds } as const;

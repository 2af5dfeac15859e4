import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dayMs, minuteMs } from '../../../db/durations.ts';
import type { Job } from '../../../pipeline/queue/job.ts';
import { startSchedules } from '../../../pipeline/queue/schedules.ts';

const job: Job = {
  name: 'invented-job',
  schedule: '* * * * *',
  items_per_run: 1,
  expire_seconds: 60,
  retries: 0,
  async run() {},
};
const start = Date.UTC(2026, 10, 20, 10, 0, 30);
let ticks: string[];
let stop: () => Promise<void>;

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  ticks = [];
  stop = startSchedules([job], {
    tick: async () => void ticks.push(new Date().toISOString().slice(8, 16)),
    onClockSetBack: async () => void ticks.push('clock set back'),
  });
});
afterEach(async () => {
  await stop();
  vi.useRealTimers();
});

test('a schedule continues at once after the clock was days ahead and is set back', async () => {
  await vi.advanceTimersByTimeAsync(minuteMs);
  vi.setSystemTime(start + 3 * dayMs);
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect(ticks).toEqual(['20T10:01', '23T10:01']);
  vi.setSystemTime(start + 2 * minuteMs);
  await vi.advanceTimersByTimeAsync(2 * minuteMs);
  expect(ticks.slice(2)).toEqual(['clock set back', '20T10:03', '20T10:04']);
});

test('a scheduled time that passed while the machine was asleep is made up once, without a line on the console', async () => {
  const warn = vi.spyOn(console, 'warn');
  vi.setSystemTime(start + 12 * minuteMs + 20_000);
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect([ticks, warn.mock.calls]).toEqual([['20T10:13'], []]);
  warn.mockRestore();
});

test('a small correction of the clock does not restart the schedules', async () => {
  vi.setSystemTime(start - 5_000);
  await vi.advanceTimersByTimeAsync(2 * minuteMs);
  expect(ticks).toEqual(['20T10:01', '20T10:02']);
});

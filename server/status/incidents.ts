import { hourMs } from '../../db/durations.ts';
import type { BadHour } from '../../db/requests/health-history.ts';

/** Number of days that the status page shows. */
export const daysShown = 90;
/** Maximum number of incidents that the status page lists. */
const maxIncidents = 20;

/** A series of hours in each of which at least five requests to a route failed, and fewer were answered than failed. */
export interface Incident {
  route: string;
  from: Date;
  hours: number;
  failed: number;
  requests: number;
}

/**
 * Returns the incidents, newest first. `hours` are the hours in which most requests to a route failed, sorted by route
 * and time.
 */
export function incidentsOf(hours: readonly BadHour[]): Incident[] {
  const incidents: Incident[] = [];
  for (const { route, hour, answered, failed } of hours) {
    const last = incidents.at(-1);
    const follows = last?.route === route && last.from.getTime() + last.hours * hourMs === hour.getTime();
    if (last && follows) {
      last.hours += 1;
      last.failed += failed;
      last.requests += answered + failed;
    } else incidents.push({ route, from: hour, hours: 1, failed, requests: answered + failed });
  }
  return incidents.sort((a, b) => b.from.getTime() - a.from.getTime()).slice(0, maxIncidents);
}

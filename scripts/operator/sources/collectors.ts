import type { AnyCollector } from '../../../pipeline/collect/collect.ts';
import { operatorCollectors } from '../../../pipeline/operator-collectors.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { nearest } from '../../../server/http/nearest.ts';
import { UsageError } from '../command.ts';

/** Returns the collectors that have at least one source, by name. */
function collectorsByName(all: readonly AnyCollector[]): ReadonlyMap<string, AnyCollector> {
  return new Map(
    all.filter(({ sources }) => sources.length > 0).map((collector) => [collector.name, collector] as const),
  );
}

export const collectors = collectorsByName([
  ...catalog.flatMap(({ collector }) => collector ?? []),
  ...operatorCollectors,
]);

/** Returns the collector with this name. When it does not exist, throws a UsageError that lists all names. */
export function collectorNamed(name: string): AnyCollector {
  const collector = collectors.get(name);
  if (collector) return collector;
  const names = [...collectors.keys()];
  const near = nearest(name, names);
  throw new UsageError(`There is no collector ${name}${near ? `: did you mean ${near}?` : '.'}\n${names.join('\n')}`);
}

/**
 * Functions that convert the value of a parameter from text, by the name of the parameter. Other parameters stay text.
 */
const readers: Record<string, (text: string) => unknown> = {
  limit: Number,
  type: (text) => text.split(','),
};

/**
 * Reads parameters written as `name=value`. Throws the error that `refuse` creates from the description of a mistake.
 */
export function paramsOf(pairs: readonly string[], refuse: (problem: string) => Error): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw refuse(`"${pair}" must be written name=value.`);
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
      return [name, readers[name]?.(value) ?? value];
    }),
  );
}

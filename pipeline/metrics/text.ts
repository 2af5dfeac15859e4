import type { MetricFamily } from '../telemetry/telemetry.ts';

/** Returns the metrics in the Prometheus text format, version 0.0.4. A metric without values is left out. */
export function metricsText(families: readonly MetricFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join('');
}

function familyText({ name, help, type, samples }: MetricFamily): string {
  const full = `tidemark_${name}`;
  const values = samples.map(({ labels = {}, value }) => `${full}${labelsText(labels)} ${value}\n`);
  return `# HELP ${full} ${escaped(help)}\n# TYPE ${full} ${type}\n${values.join('')}`;
}

function labelsText(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

import { createLog } from '../../pipeline/log.ts';
import { runOperator } from '../../scripts/operator/main.ts';

export interface Printed {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs the operator's command line in this process. To run it as a program, use `operatorProcess` of
 * service-process.ts.
 */
export async function operator(words: readonly string[], env: Record<string, string>): Promise<Printed> {
  const printed = { stdout: '', stderr: '' };
  const code = await runOperator([...words], {
    env,
    log: createLog({ level: 'warn', to: { write: (line) => (printed.stderr += line) } }),
    print: (line) => {
      printed.stdout += `${line}\n`;
    },
    printError: (line) => {
      printed.stderr += `${line}\n`;
    },
  });
  return { code, ...printed };
}

import { configOption } from '../configuration/configured-env.ts';
import type { Finding, Level } from '../doctor/finding.ts';
import { command } from '../line/command.ts';
import { columns, jsonOption } from '../terminal/output.ts';

const doctor = command('doctor', {
  summary: 'Check this machine and its services, and suggest how to fix problems',
  options: { config: configOption, json: jsonOption },
  examples: ['doctor', 'doctor --config /etc/ohmstead.yaml', 'doctor --json'],
  async run({ options }, shell) {
    const { runChecks } = await import('../doctor/run-checks.ts');
    const { openContext } = await import('../doctor/context.ts');
    const findings = await runChecks(await openContext(shell, options.config));
    const isOk = count(findings, 'problem') === 0;
    const text = options.json ? JSON.stringify({ ok: isOk, findings }, null, 2) : report(findings);
    shell.stdout.write(`${text}\n`);
    shell.exitCode = isOk ? 0 : 1;
    shell.exit(); // pending DNS lookups would delay the exit
  },
});

const count = (findings: readonly Finding[], level: Level): number =>
  findings.filter((finding) => finding.level === level).length;

function report(findings: readonly Finding[]): string {
  const rows = findings.flatMap(({ level, about, says, next }) => [
    [level, about, says],
    ...(next === undefined ? [] : [['', '', `-> ${next}`]]),
  ]);
  return `${columns(rows)}\n\n${summary(count(findings, 'problem'), count(findings, 'warning'))}`;
}

function summary(problems: number, warnings: number): string {
  if (problems + warnings === 0) return 'No problems found.';
  const counted = (count: number, word: string): string[] =>
    count === 0 ? [] : [`${count} ${count === 1 ? word : `${word}s`}`];
  return `${[...counted(problems, 'problem'), ...counted(warnings, 'warning')].join(' and ')}.`;
}

export const commands = [doctor];

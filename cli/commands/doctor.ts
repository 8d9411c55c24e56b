import { configOption } from '../configuration/config-file.ts';
import type { Finding, Level } from '../doctor/finding.ts';
import { command } from '../line/command.ts';
import { columns, jsonOption } from '../terminal/output.ts';

const doctor = command({
  name: 'doctor',
  summary: 'Look at this machine and what runs on it, and tell what is wrong and what to do about it',
  options: { config: configOption, json: jsonOption },
  examples: ['doctor', 'doctor --config /etc/ohmstead.yaml', 'doctor --json'],
  async run({ options }, shell) {
    const { examine } = await import('../doctor/examine.ts');
    const { openScene } = await import('../doctor/scene.ts');
    const findings = await examine(await openScene(shell, options.config));
    const isWell = count(findings, 'problem') === 0;
    const text = options.json ? JSON.stringify({ ok: isWell, findings }, null, 2) : told(findings);
    shell.stdout.write(`${text}\n`);
    shell.exitCode = isWell ? 0 : 1;
    shell.leave(); // names that are still being looked up would keep it for long
  },
});

const count = (findings: readonly Finding[], level: Level): number =>
  findings.filter((finding) => finding.level === level).length;

function told(findings: readonly Finding[]): string {
  const rows = findings.flatMap(({ level, about, says, next }) => [
    [level, about, says],
    ...(next === undefined ? [] : [['', '', `-> ${next}`]]),
  ]);
  return `${columns(rows)}\n\n${summary(count(findings, 'problem'), count(findings, 'warning'))}`;
}

function summary(problems: number, warnings: number): string {
  if (problems + warnings === 0) return 'All is well.';
  const words = [
    ...(problems > 0 ? [`${problems} ${problems === 1 ? 'problem' : 'problems'}`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ];
  return `${words.join(' and ')}.`;
}

export const doctorCommands = [doctor];

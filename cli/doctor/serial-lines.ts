import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { tcpEndpoint } from '#gateway/links/serial-line.ts';
import { isOpen } from '#gateway/network/port-check.ts';
import type { DoctorContext } from './context.ts';
import { type Outcome, type Outcomes, ok, problem, userName } from './finding.ts';

const timeoutMs = 2000;
const adapters = /^(tty(USB|ACM|AMA)\d+|cu\.usb.+)$/; // others exist even if nothing is connected

type Endpoint = NonNullable<ReturnType<typeof tcpEndpoint>>;

/** Checks the configured serial lines, else those on this machine. */
export async function checkSerialLines({ gateway }: DoctorContext): Promise<Outcomes> {
  const { GATEWAY_RS485_PORT, GATEWAY_P1_PORT } = gateway;
  const named = Object.entries({ GATEWAY_RS485_PORT, GATEWAY_P1_PORT }).flatMap(([setting, line]) =>
    line === undefined ? [] : [checkNamed(setting, line)],
  );
  if (named.length > 0) return Promise.all(named);
  const lines = await presentLines();
  if (lines.length === 0) return ok('No serial line is configured or connected; network devices need none.');
  const refusals = (await Promise.all(lines.map(refusalOf))).filter((finding) => finding !== undefined);
  return refusals.length > 0 ? refusals : [ok(`Available serial lines: ${lines.join(', ')}.`)];
}

async function checkNamed(setting: string, line: string): Promise<Outcome> {
  const adapter = tcpEndpoint(line);
  if (adapter) return checkAdapter(setting, line, adapter);
  const isLine = await stat(line).then(
    (entry) => entry.isCharacterDevice(),
    () => false,
  );
  if (!isLine) {
    const present = (await presentLines()).join(', ') || 'none';
    return problem(
      `${line} (${setting}) is not a serial line. Available: ${present}.`,
      `Plug it in, or correct ${setting}.`,
    );
  }
  return (await refusalOf(line)) ?? ok(`${line} (${setting}) is available.`);
}

async function checkAdapter(setting: string, line: string, { host, port }: Endpoint): Promise<Outcome> {
  if (await isOpen(host, port, timeoutMs)) return ok(`The adapter at ${line} (${setting}) answers.`);
  return problem(
    `Cannot reach an adapter at ${line} (${setting}).`,
    `Check that it is switched on, or correct ${setting}.`,
  );
}

async function presentLines(): Promise<string[]> {
  const names = await readdir('/dev').catch(() => []); // no such folder, no serial lines
  return names.filter((name) => adapters.test(name)).map((name) => `/dev/${name}`);
}

async function refusalOf(line: string): Promise<Outcome | undefined> {
  try {
    await access(line, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    const username = userName();
    const group = await groupOf(line);
    const next = `Run: sudo usermod -aG ${group} ${username}, and sign in again.`;
    return problem(`${username} has no permission to use ${line}; its group is ${group}.`, next);
  }
}

async function groupOf(line: string): Promise<string> {
  const { gid } = await stat(line);
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  return new RegExp(`^([^:]+):[^:]*:${gid}:`, 'm').exec(groups)?.[1] ?? 'dialout';
}

import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { tcpEndpoint } from '#gateway/links/serial-line.ts';
import { isOpen } from '#gateway/network/port-check.ts';
import { type Finding, findingsAbout } from './finding.ts';
import type { Scene } from './scene.ts';
import { userName } from './user-name.ts';

const patienceMs = 2000;
const adapters = /^(tty(USB|ACM|AMA)\d+|cu\.usb.+)$/; // the others are there whether anything is connected or not
const found = findingsAbout('serial lines');

/** The lines that are configured, else those that are here. */
export async function checkSerialLines({ gateway }: Scene): Promise<Finding[]> {
  const { GATEWAY_RS485_PORT, GATEWAY_P1_PORT } = gateway;
  const named = Object.entries({ GATEWAY_RS485_PORT, GATEWAY_P1_PORT }).flatMap(([setting, line]) =>
    line === undefined ? [] : [checkNamed(setting, line)],
  );
  if (named.length > 0) return Promise.all(named);
  const lines = await presentLines();
  if (lines.length === 0)
    return [found.ok('No serial line is configured, and none is here; devices in the network need none.')];
  const refusals = (await Promise.all(lines.map(refusalOf))).filter((finding) => finding !== undefined);
  return refusals.length > 0 ? refusals : [found.ok(`Serial lines that can be used: ${lines.join(', ')}.`)];
}

async function checkNamed(setting: string, line: string): Promise<Finding> {
  if (line.startsWith('tcp://')) return checkAdapter(setting, line);
  const isLine = await stat(line).then(
    (entry) => entry.isCharacterDevice(),
    () => false,
  );
  if (!isLine) {
    const present = (await presentLines()).join(', ') || 'none';
    return found.problem(
      `${line} (${setting}) is no serial line. Those here: ${present}.`,
      `Plug it in, or correct ${setting}.`,
    );
  }
  return (await refusalOf(line)) ?? found.ok(`${line} (${setting}) is there and can be used.`);
}

async function checkAdapter(setting: string, line: string): Promise<Finding> {
  const { host, port } = tcpEndpoint(line)!;
  if (await isOpen(host, port, patienceMs)) return found.ok(`The adapter at ${line} (${setting}) answers.`);
  return found.problem(`No adapter answers at ${line} (${setting}).`, `Look whether it is on, or correct ${setting}.`);
}

async function presentLines(): Promise<string[]> {
  const names = await readdir('/dev').catch(() => []); // where there is no such folder there are no such lines
  return names.filter((name) => adapters.test(name)).map((name) => `/dev/${name}`);
}

async function refusalOf(line: string): Promise<Finding | undefined> {
  try {
    await access(line, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    const username = userName();
    const group = await groupOf(line);
    const next = `Run: sudo usermod -aG ${group} ${username}, and sign in again.`;
    return found.problem(`${line} is there, and ${username} may not use it; the group ${group} may.`, next);
  }
}

async function groupOf(line: string): Promise<string> {
  const { gid } = await stat(line);
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  return new RegExp(`^([^:]+):[^:]*:${gid}:`, 'm').exec(groups)?.[1] ?? 'dialout';
}

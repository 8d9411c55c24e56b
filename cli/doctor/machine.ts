import { totalmem } from 'node:os';
import { type Finding, findingsAbout } from './finding.ts';
import type { Scene } from './scene.ts';

const leastNode = 24;
const mega = 2 ** 20;
const littleMemory = { warning: 200 * mega, problem: 60 * mega };

export async function checkConfiguration({ configuration: { path, mistakes } }: Scene): Promise<Finding[]> {
  const found = findingsAbout('configuration');
  const source = path ? `The file is ${path}.` : 'There is no file; the environment is all there is.';
  if (mistakes.length === 0) return [found.ok(`The configuration is right. ${source}`)];
  const told = `${mistakes[0]}${mistakes.length > 1 ? ` And ${mistakes.length - 1} more.` : ''}`;
  return [found.problem(`The configuration is wrong: ${told}`, 'Run ohmstead config check, which tells all of it.')];
}

export async function checkNode(): Promise<Finding[]> {
  const found = findingsAbout('Node.js');
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= leastNode) return [found.ok(`Node.js is ${node}.`)];
  return [found.problem(`Node.js is ${node}; ${leastNode} or newer is needed.`, `Install Node.js ${leastNode}.`)];
}

export async function checkMemory(): Promise<Finding[]> {
  const found = findingsAbout('memory');
  const free = process.availableMemory();
  const says = `${megabytes(free)} of ${megabytes(totalmem())} memory can be had.`;
  const next = 'End programs that are not needed, or use a machine with more memory.';
  if (free < littleMemory.problem) return [found.problem(says, next)];
  return [free < littleMemory.warning ? found.warning(says, next) : found.ok(says)];
}

const megabytes = (bytes: number): string => `${Math.round(bytes / mega)} MB`;

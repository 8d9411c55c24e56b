import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Read by whatever Node the system has, so in the JavaScript of Node 20.

const neededMajor = 24;
const passedOn = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** @type {(version: string) => boolean} */
const isNewEnough = (version) => Number.parseInt(version, 10) >= neededMajor;

export const isNodeTooOld = !isNewEnough(process.versions.node);

/**
 * Runs a program on the Node that comes with the packages, and ends as it ends.
 *
 * @param {string} program
 */
export function runOnOwnNode(program) {
  const node = findOwnNode();
  if (!node) {
    console.error(
      `Ohmstead needs Node ${neededMajor} or newer, and this is ${process.versions.node}. The one that comes with its ` +
        'packages is not there: run npm rebuild node where Ohmstead is installed, or start it with a newer Node.',
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  /** @type {(signal: NodeJS.Signals) => void} */
  const passOn = (signal) => void child.kill(signal);
  for (const signal of passedOn) process.on(signal, passOn);
  child.on('error', (error) => {
    console.error(`The Node that comes with the packages of Ohmstead does not start: ${error.message}.`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    for (const name of passedOn) process.off(name, passOn);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

function findOwnNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    /** @type {{ version: string, bin: { node: string } }} */
    const { version, bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    const node = join(dirname(manifest), bin.node);
    return isNewEnough(version) && existsSync(node) ? node : undefined; // its install script may not have run
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

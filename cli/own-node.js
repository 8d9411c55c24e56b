import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Any Node of the system may run this file, so it is limited to the JavaScript of Node 20.

const neededMajor = 24;
const forwardedSignals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** @type {(version: string) => boolean} */
const isNewEnough = (version) => Number.parseInt(version, 10) >= neededMajor;

export const isNodeTooOld = !isNewEnough(process.versions.node);

/**
 * Runs a program on the Node that was installed as a dependency, and exits with its exit code or signal.
 *
 * @param {string} program
 */
export function runOnOwnNode(program) {
  const node = findOwnNode();
  if (!node) {
    console.error(
      `Ohmstead needs Node ${neededMajor} or newer; this is ${process.versions.node}. The Node that is installed with it is ` +
        'missing: run `npm rebuild node` where Ohmstead is installed, or start it with a newer Node.',
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  /** @type {(signal: NodeJS.Signals) => void} */
  const forward = (signal) => void child.kill(signal);
  for (const signal of forwardedSignals) process.on(signal, forward);
  child.on('error', (error) => {
    console.error(`The Node that is installed with Ohmstead does not start: ${error.message}.`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    for (const name of forwardedSignals) process.off(name, forward);
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

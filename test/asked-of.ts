import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * What the command line asks of a program whose file begins with comments on how to call it. Those are what --help shows,
 * and what follows on a mistake.
 */
export function askedOf<Config extends ParseArgsConfig>(
  file: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const usage = readFileSync(file, 'utf8')
    .match(/^(\/\/ .*\n)+/)![0]
    .replaceAll(/^\/\/ /gm, '');
  if (process.argv.includes('--help')) {
    process.stdout.write(usage);
    process.exit();
  }
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

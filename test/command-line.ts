import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Parses the command line of a script. The comment at the top of its file is what --help prints, and what follows an error. */
export function parseCommandLine<Config extends ParseArgsConfig>(
  file: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const [header = ''] = readFileSync(file, 'utf8').match(/^(\/\/ .*\n)+/) ?? [];
  const usage = header.replaceAll(/^\/\/ /gm, '');
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

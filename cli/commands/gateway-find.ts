import { findGateways } from '../gateways/find-gateways.ts';
import { command } from '../line/command.ts';
import { UsageError } from '../line/usage-error.ts';
import { jsonOption, printList } from '../terminal/output.ts';

const usualSeconds = 3;

const find = command({
  name: 'gateway find',
  summary: 'Look for gateways on the local network (mDNS)',
  options: { seconds: { value: 'NUMBER', says: `how long to look. Default ${usualSeconds}` }, json: jsonOption },
  examples: ['gateway find', 'gateway find --seconds 10 --json'],
  async run({ options }, shell) {
    const seconds = Number(options.seconds ?? usualSeconds);
    if (!(seconds > 0 && seconds <= 600)) throw new UsageError('--seconds is a number from 0 to 600.', find.name);
    const found = await findGateways(seconds * 1000, shell.untilInterrupted());
    if (found.length === 0 && !options.json) {
      shell.stdout.write(
        'No gateway announces itself on this network. One in another network is named by its address: --gateway http://<address>:8081\n',
      );
      return;
    }
    printList(shell, options.json, found, ['gateway_serial', 'name', 'url', 'host']);
  },
});

export const findCommands = [find];

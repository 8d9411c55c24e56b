import type { Command } from '../command.ts';
import { backupCommands } from './admin-backup.ts';
import { gatewayCommands } from './admin-gateway.ts';
import { identityCommands } from './admin-identity.ts';
import { keysCommands } from './admin-keys.ts';
import { cloudCommands } from './cloud.ts';

/** In the order of the help. */
export const commands: readonly Command[] = [
  ...cloudCommands,
  ...identityCommands,
  ...keysCommands,
  ...gatewayCommands,
  ...backupCommands,
];

/** What the first words of several commands have in common. */
export const groups: Readonly<Record<string, string>> = {
  '': 'An open, self-hosted energy platform.',
  admin: 'Looks after a platform on its server, also while it runs. Reads the environment of the platform.',
  'admin identity': 'People and programs that sign in.',
  'admin keys': 'The keys that access tokens are signed with.',
  'admin gateway': 'Which key a gateway serial is bound to.',
};

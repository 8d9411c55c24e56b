import { addCommands } from './device-add.ts';
import { confirmCommands } from './device-confirm.ts';
import { derCommands } from './device-ders.ts';
import { listCommands } from './device-list.ts';
import { provisionCommands } from './device-provision.ts';
import { typeCommands } from './device-types.ts';

export const deviceCommands = [
  ...typeCommands,
  ...addCommands,
  ...listCommands,
  ...derCommands,
  ...confirmCommands,
  ...provisionCommands,
];

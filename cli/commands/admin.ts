import { backupCommands } from './admin-backup.ts';
import { gatewayCommands } from './admin-gateway.ts';
import { identityCommands } from './admin-identity.ts';
import { keysCommands } from './admin-keys.ts';

export const adminCommands = [...identityCommands, ...keysCommands, ...gatewayCommands, ...backupCommands];

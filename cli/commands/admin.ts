import { gatewayCommands } from './admin-gateway.ts';
import { identityCommands } from './admin-identity.ts';
import { keysCommands } from './admin-keys.ts';
import { oauthCommands } from './admin-oauth.ts';
import { telemetryCommands } from './admin-telemetry.ts';
import { adminBackupCommands } from './backup.ts';

export const commands = [
  ...identityCommands,
  ...keysCommands,
  ...gatewayCommands,
  ...oauthCommands,
  ...telemetryCommands,
  ...adminBackupCommands,
];

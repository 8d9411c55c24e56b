import { backupCommand } from '../backup/backup.ts';
import { restoreCommand } from '../backup/restore.ts';

export const backupCommands = [backupCommand('backup')];

export const restoreCommands = [restoreCommand('restore')];

/** The names that the operator knows them by. */
export const adminBackupCommands = [backupCommand('admin backup'), restoreCommand('admin restore')];

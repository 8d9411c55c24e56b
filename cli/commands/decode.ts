import { decodeModbusCommands } from './decode-modbus.ts';
import { decodeP1Commands } from './decode-p1.ts';

export const decodeCommands = [...decodeP1Commands, ...decodeModbusCommands];

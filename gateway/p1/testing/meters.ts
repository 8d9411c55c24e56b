import { centralMeters } from './central-meters.ts';
import { mbusMeters } from './mbus-meters.ts';
import type { TestMeter } from './meter.ts';
import { nordicMeters } from './nordic-meters.ts';
import { telegramMeters } from './telegrams.ts';

// For tests: one message of each type of meter.

export const testMeters: readonly TestMeter[] = [...telegramMeters, ...nordicMeters, ...centralMeters, ...mbusMeters];

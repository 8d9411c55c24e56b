import { centralMeters } from './test-central-meters.ts';
import { mbusMeters } from './test-mbus-meters.ts';
import type { TestMeter } from './test-meter.ts';
import { nordicMeters } from './test-nordic-meters.ts';
import { telegramMeters } from './test-telegrams.ts';

// For tests: one message of each kind of meter.

export const testMeters: readonly TestMeter[] = [...telegramMeters, ...nordicMeters, ...centralMeters, ...mbusMeters];

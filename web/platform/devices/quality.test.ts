import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qualityOf } from './quality.ts';

const active = { state: 'active', isStale: false, hasData: true, isGatewayOnline: true } as const;
const pending = { state: 'pending', isStale: true, hasData: false, isGatewayOnline: true } as const;

for (const { says, known, quality } of [
  { says: 'a device with recent data', known: active, quality: 'live' },
  {
    says: 'one with recent data before its gateway is known',
    known: { ...active, isGatewayOnline: undefined },
    quality: 'live',
  },
  { says: 'one without recent data', known: { ...active, isStale: true }, quality: 'silent' },
  {
    says: 'one whose gateway is offline',
    known: { ...active, isStale: true, isGatewayOnline: false },
    quality: 'away',
  },
  { says: 'one that was just added', known: pending, quality: 'waiting' },
  { says: 'one added to an offline gateway', known: { ...pending, isGatewayOnline: false }, quality: 'away' },
  {
    says: 'an orphaned one, even with recent data,',
    known: { ...active, state: 'orphaned' as const },
    quality: 'orphaned',
  },
]) {
  test(`${says} is ${quality}`, () => assert.equal(qualityOf(known), quality));
}

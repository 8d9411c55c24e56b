import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qualityOf } from './quality.ts';

const active = { state: 'active', isStale: false, hasData: true, isGatewayOnline: true } as const;
const pending = { state: 'pending', isStale: true, hasData: false, isGatewayOnline: true } as const;

for (const { says, known, quality } of [
  { says: 'a device that is heard', known: active, quality: 'live' },
  { says: 'one heard before its gateway is known', known: { ...active, isGatewayOnline: undefined }, quality: 'live' },
  { says: 'one that fell silent', known: { ...active, isStale: true }, quality: 'silent' },
  {
    says: 'one whose gateway is gone',
    known: { ...active, isStale: true, isGatewayOnline: false },
    quality: 'away',
  },
  { says: 'one that was just added', known: pending, quality: 'waiting' },
  { says: 'one added to a gateway that is away', known: { ...pending, isGatewayOnline: false }, quality: 'away' },
  {
    says: 'one that its gateway left, even if it spoke just now',
    known: { ...active, state: 'orphaned' as const },
    quality: 'orphaned',
  },
]) {
  test(`${says} is ${quality}`, () => assert.equal(qualityOf(known), quality));
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeZoneName } from './site.ts';

const spellings = (name: string): string[] => [name, name.toLowerCase(), name.toUpperCase()];

test('a time zone has one spelling, however its letters are written', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) {
    for (const text of spellings(name)) assert.equal(timeZoneName(text), name);
  }
});

for (const name of [
  'Asia/Kolkata',
  'Asia/Calcutta',
  'Europe/Kyiv',
  'US/East-Indiana',
  'Etc/GMT+1',
  'Etc/UCT',
  'EST5EDT',
  'EST',
  'PRC',
  'GB-Eire',
  'NZ-CHAT',
  'W-SU',
  'America/Knox_IN',
  'America/Argentina/ComodRivadavia',
  'Antarctica/McMurdo',
  'Australia/NSW',
  'Brazil/DeNoronha',
  'Chile/EasterIsland',
  'Mexico/BajaSur',
  'Zulu',
]) {
  test(`the alias ${name} stays, in this spelling`, () => {
    assert.deepEqual(spellings(name).map(timeZoneName), [name, name, name]);
  });
}

for (const text of ['', '+0100', '-03:30', '+01', 'GMT+1', 'Europe/Atlantis', 'BST', 'ist', 'Europe/Stockholm ']) {
  test(`${text || 'nothing'} is not an IANA name`, () => assert.equal(timeZoneName(text), undefined));
}

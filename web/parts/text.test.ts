import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import * as format from './text.ts';
import { setLanguage } from './text.ts';

const at = Date.UTC(2026, 10, 12, 13, 5, 9);
const zone = 'Europe/Stockholm';
const nextDay = at + 86_400_000;

/** Makes the spaces that must not break ordinary ones. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f\u2009]/g, ' ');

suite('formats', () => {
  afterEach(() => setLanguage('en'));

  for (const { what, format: text, en, sv } of [
    { what: 'a power', format: () => format.power(1700), en: '1.70 kW', sv: '1,70 kW' },
    { what: 'a large power', format: () => format.power(12_345_678), en: '12.35 MW', sv: '12,35 MW' },
    { what: 'a power below zero', format: () => format.power(-450), en: '450 W', sv: '450 W' },
    { what: 'an energy', format: () => format.energy(12_340), en: '12.3 kWh', sv: '12,3 kWh' },
    { what: 'the energy of a year', format: () => format.energy(12_345_678), en: '12,346 kWh', sv: '12 346 kWh' },
    { what: 'the energy of a village', format: () => format.energy(123_456_789), en: '123.46 MWh', sv: '123,46 MWh' },
    { what: 'a number with thousands', format: () => format.number(1_234_567), en: '1,234,567', sv: '1 234 567' },
    { what: 'a negative number', format: () => format.number(-1.5, 1), en: '-1.5', sv: '−1,5' },
    { what: 'a fraction', format: () => format.percent(0.52), en: '52%', sv: '52 %' },
    { what: 'kronor', format: () => format.money(12.5, 'SEK'), en: 'SEK 12.50', sv: '12,50 kr' },
    { what: 'euros', format: () => format.money(-1.5, 'EUR'), en: '-€1.50', sv: '−1,50 €' },
    { what: 'a size', format: () => format.bytes(1_340_000), en: '1.3 MB', sv: '1,3 MB' },
    { what: 'a time', format: () => format.timeOfDay(at, zone), en: '14:05', sv: '14:05' },
    { what: 'a time with seconds', format: () => format.timeWithSeconds(at, zone), en: '14:05:09', sv: '14:05:09' },
    { what: 'a date', format: () => format.date(at, zone), en: '12 Nov 2026', sv: '12 nov. 2026' },
    {
      what: 'a date with its time',
      format: () => format.dateAndTime(at, zone),
      en: '12 Nov 2026, 14:05',
      sv: '12 nov. 2026 14:05',
    },
    { what: 'a day', format: () => format.day(at, zone), en: 'Thu 12 Nov', sv: 'tors 12 nov.' },
    {
      what: 'a day in full',
      format: () => format.fullDay(at, zone),
      en: 'Thursday, 12 November 2026',
      sv: 'torsdag 12 november 2026',
    },
    {
      what: 'a period of days',
      format: () => format.dateRange(at, nextDay + 1, zone),
      en: '12 – 13 Nov 2026',
      sv: '12–13 nov. 2026',
    },
    { what: 'an age', format: () => format.ago(at, at + 180_000), en: '3 min ago', sv: 'för 3 min sen' },
    { what: 'an age of a second', format: () => format.ago(at, at + 1000), en: 'just now', sv: 'just nu' },
    { what: 'a countdown', format: () => format.countdown(247_000), en: '4:07', sv: '4:07' },
    { what: 'a missing power', format: () => format.power(undefined), en: '–', sv: '–' },
  ]) {
    test(`${what} is ${en} in English and ${sv} in Swedish`, async () => {
      assert.equal(plain(text()), en);
      await setLanguage('sv');
      assert.equal(plain(text()), sv);
    });
  }

  for (const { what, text, expected } of [
    { what: 'a value that rounds to zero has no minus sign', text: format.number(-0.3), expected: '0' },
    { what: 'minus zero has no minus sign', text: format.number(-0), expected: '0' },
    { what: 'decimals that round to zero have no minus sign', text: format.number(-0.04, 1), expected: '0.0' },
    { what: 'a value below zero keeps its minus sign', text: format.number(-0.06, 1), expected: '-0.1' },
    { what: 'an amount that rounds to zero has no minus sign', text: format.money(-0.001, 'EUR'), expected: '€0.00' },
  ])
    test(what, () => assert.equal(text, expected));
});

suite('texts', () => {
  afterEach(() => format.setLanguage('en'));

  const t = format.texts({
    system: 'theme|System',
    planted: 'A text without a translation: {name}',
    min: 'Must be at least {min}.',
    minSays: 'Four parts separated by |, starting with your ID.',
  });

  test('a context is not shown, and gives a text its own translation', async () => {
    assert.deepEqual([t('system'), format.translated('System')], ['System', 'System']);
    await setLanguage('sv');
    assert.deepEqual([t('system'), format.translated('System')], ['Följ systemet', 'System']);
  });

  test('values replace their names in every language', async () => {
    assert.equal(t('min', { min: 3 }), 'Must be at least 3.');
    await setLanguage('sv');
    assert.equal(t('min', { min: 3 }), 'Måste vara minst 3.');
  });

  test('a text without a translation is shown in English', async () => {
    await setLanguage('sv');
    assert.equal(t('planted', { name: 'x' }), 'A text without a translation: x');
  });

  test('shared words, fields and unknown names are found', async () => {
    await setLanguage('sv');
    assert.deepEqual([t('yes'), t.orName('nothing'), t.has('min'), t.has('yes')], ['Ja', 'nothing', true, false]);
    assert.deepEqual(t.field('min'), {
      label: 'Måste vara minst {min}.',
      says: 'Fyra delar åtskilda av |, med ditt ID först.',
    });
  });
});

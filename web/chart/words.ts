import { texts } from '../parts/text.ts';

export const chartWords = texts({
  hint: [
    'Use the left and right arrow keys to read the values, plus and minus to zoom, and 0 to show the whole period.',
    'Läs värdena med vänster- och högerpil, zooma med plus och minus och visa hela perioden med 0.',
  ],
  use: ['Drag to zoom in.', 'Dra för att zooma in.'],
  move: ['Drag to move.', 'Dra för att flytta.'],
  closer: ['Zoom in', 'Zooma in'],
  wider: ['Zoom out', 'Zooma ut'],
  whole: ['Show all', 'Visa allt'],
  sides: ['Above zero: {up}. Below zero: {down}.', 'Över noll: {up}. Under noll: {down}.'],
  marked: ['Marked: {label}, {time}.', 'Markerat: {label}, {time}.'],
  series: ['Series in {label}', 'Serier i {label}'],
  nothing: ['not measured', 'saknas'],
  none: ['–', '–'],
  time: ['Time', 'Tid'],
  asTable: ['Show as table', 'Visa som tabell'],
  tableOf: ['{label}, as a table', '{label}, som tabell'],
  csv: ['Download CSV', 'Ladda ner CSV'],
  first: [
    'Showing the first {shown} of {all} rows. The CSV file contains all of them.',
    'De första {shown} av {all} rader visas. CSV-filen innehåller alla.',
  ],
});

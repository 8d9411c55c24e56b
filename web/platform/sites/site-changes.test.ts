import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Site } from '#contract/cloud/sites.ts';
import { changesOf, formOf } from './site-changes.ts';

const site: Site = {
  id: 'sit-1',
  org_id: 'org-1',
  name: 'House',
  created_at: '2026-06-01T12:00:00Z',
  latitude: 59.3,
  longitude: 18,
  timezone: 'Europe/Stockholm',
  price_area: 'SE3',
  fuse_a: 20,
};

for (const { says, change, changes } of [
  { says: 'no change', change: {}, changes: undefined },
  { says: 'trailing space in the name', change: { name: 'House ' }, changes: undefined },
  { says: 'a changed name', change: { name: 'Cottage' }, changes: { name: 'Cottage' } },
  { says: 'a changed number', change: { fuse_a: '25' }, changes: { fuse_a: 25 } },
  { says: 'an emptied field', change: { fuse_a: '' }, changes: { fuse_a: null } },
  { says: 'a cleared time zone', change: { timezone: '' }, changes: { timezone: null } },
  {
    says: 'a cleared position',
    change: { latitude: '', longitude: ' ' },
    changes: { latitude: null, longitude: null },
  },
  { says: 'a newly set field', change: { country: 'SE' }, changes: { country: 'SE' } },
]) {
  test(`the changes of a form: ${says}`, () =>
    assert.deepEqual(changesOf(site, { ...formOf(site), ...change }), changes));
}

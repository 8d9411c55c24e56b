import { sunspecProfile } from './sunspec/sunspec-profile.ts';

// Any device that implements SunSpec, regardless of manufacturer.
export const sunspec = sunspecProfile({
  profile: 'sunspec',
  display_name: 'SunSpec device',
  make: 'SunSpec',
  kinds: ['pv', 'battery', 'meter'],
  hints: { unit_ids: [2, 3, 126, 200, 240] },
  sources: ['sunspecModels'],
});

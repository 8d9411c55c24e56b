import type { SupportedProfile } from '#contract/gateway/devices.ts';
import type { Form } from '#contract/gateway/form.ts';
import type { ProfileInfo } from '../profiles/profile.ts';

type Category = { name: string; holds(profile: ProfileInfo): boolean };

const isMeter = ({ device_type }: ProfileInfo): boolean => device_type === 'energy_meter';
const isCharger = ({ device_type }: ProfileInfo): boolean => device_type === 'v2x_charger';
const isStorage = ({ category }: ProfileInfo): boolean => category === 'battery';

const categories: Record<Form, readonly Category[]> = {
  later: [
    { name: 'inverters', holds: (profile) => profile.device_type === 'inverter' && !isStorage(profile) },
    { name: 'energy_meters', holds: isMeter },
    { name: 'batteries', holds: isStorage },
    { name: 'v2x_chargers', holds: isCharger },
  ],
  earlier: [
    { name: 'inverters', holds: ({ device_type }) => device_type === 'inverter' },
    { name: 'meters', holds: isMeter },
    { name: 'ev_chargers', holds: isCharger },
  ],
};

/** The profiles by category, as the form names them. */
export function supported(profiles: readonly ProfileInfo[], form: Form) {
  const groups = categories[form].map(({ name, holds }) => [name, profiles.filter(holds).map(shown)]);
  return { count: profiles.length, ...Object.fromEntries(groups) } as { count: number } & Record<
    string,
    SupportedProfile[] | number
  >;
}

const shown = ({ display_name, profile, connection_types, device_type }: ProfileInfo): SupportedProfile => ({
  display_name,
  profile,
  connection_types: [...connection_types],
  device_type,
});

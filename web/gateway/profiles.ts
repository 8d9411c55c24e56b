import { listSupported, type SupportedProfile } from '#contract/gateway/devices.ts';
import { type Load, useLoad } from '../parts/load.tsx';
import { gateway } from './gateway-api.ts';

let asked: Promise<SupportedProfile[]> | undefined;

async function askForProfiles(): Promise<SupportedProfile[]> {
  const groups = Object.values(await gateway.call(listSupported));
  return groups.flatMap((group) => (typeof group === 'number' ? [] : group));
}

/** The devices that this gateway knows; they stay the same while it runs. */
export const useProfiles = (): Load<SupportedProfile[]> =>
  useLoad(() => {
    asked ??= askForProfiles().catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  }, []);

/** What a device is called. */
export const productName = ({ profile }: { profile: string }, profiles: readonly SupportedProfile[] = []): string =>
  profiles.find((known) => known.profile === profile)?.display_name ?? profile;

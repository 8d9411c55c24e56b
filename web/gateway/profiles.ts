import { listSupported, type SupportedProfile } from '#contract/gateway/devices.ts';
import { type Load, useLoad } from '../parts/load.tsx';
import { gateway } from './gateway-api.ts';

let loading: Promise<SupportedProfile[]> | undefined;

async function fetchProfiles(): Promise<SupportedProfile[]> {
  const groups = Object.values(await gateway.call(listSupported));
  return groups.flatMap((group) => (typeof group === 'number' ? [] : group));
}

/** Loads the products that this gateway supports, once for all pages. */
export const useProfiles = (): Load<SupportedProfile[]> =>
  useLoad(() => {
    loading ??= fetchProfiles().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }, []);

/** Returns the product name of a device. */
export const productName = ({ profile }: { profile: string }, profiles: readonly SupportedProfile[] = []): string =>
  profiles.find((known) => known.profile === profile)?.display_name ?? profile;

type Routes = { pages: readonly { path: string }[] };

// Not followed by the compiler: the pages are another program with another configuration.
const pathsOf = async (entry: 'platform' | 'gateway'): Promise<string[]> => {
  const { pages } = (await import(new URL(`../../web/${entry}/pages.ts`, import.meta.url).href)) as Routes;
  return pages.map(({ path }) => path);
};

const ofPlatform = await pathsOf('platform');
const ofGateway = await pathsOf('gateway');
const tabs = ['settings', 'raw', 'registers'];

/** A page by a name for people and files, and where it is. */
export type NamedPage = { name: string; path: string };

/** Every page of the platform, about these things. */
export const platformPages = (values: Record<'site' | 'org' | 'device' | 'secret', string>): NamedPage[] =>
  ofPlatform.map((path) => filled(path, values));

/** Every page of a gateway, about this device. */
export const gatewayPages = ({ sn }: { sn: string }): NamedPage[] =>
  ofGateway.flatMap((path) =>
    path.includes(':tab') ? tabs.map((tab) => filled(path.replace(':tab', tab), { sn })) : filled(path, { sn }),
  );

function filled(path: string, values: Record<string, string>): NamedPage {
  const name = path.replace('/app', '').replaceAll(/[/:]+/g, '-').replace(/^-$/, '-start').slice(1);
  const address = path.replaceAll(/:(\w+)/g, (_, key: string) => {
    if (!(key in values)) throw new Error(`Say which ${key} the page ${path} shall show.`);
    return encodeURIComponent(values[key]!);
  });
  return { name: name || 'app', path: address };
}

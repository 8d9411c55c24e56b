// The list of components (SBOM) in the form of CycloneDX 1.6, without time and random number, so that the same source
// gives the same file. `npm sbom --omit=dev` leaves out packages that development tools need, too.

export type LockedPackage = {
  version: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

type Lockfile = { packages: Record<string, LockedPackage> };

type Manifest = { name: string; version: string; description: string; license: string };

const folder = 'node_modules/';
const nameOf = (path: string): string => path.slice(path.lastIndexOf(folder) + folder.length);
const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/**
 * Lists the packages that the programs need, as the lockfile has them, and those that are part of the pages.
 * `inPages` are names of packages.
 */
export function componentsOf(manifest: Manifest, { packages }: Lockfile, inPages: readonly string[]): object {
  const isPart = (path: string): boolean => !packages[path]!.dev || inPages.includes(path.slice(folder.length));
  const paths = Object.keys(packages).filter((path) => path !== '' && isPart(path));
  const refs = new Map(paths.map((path) => [path, purlOf(nameOf(path), packages[path]!.version)]));
  const own = purlOf(manifest.name, manifest.version);

  /** Finds packages as Node does: beside the package that needs them, else further up. */
  function needs(path: string): string[] {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path]!;
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    if (path === '') names.push(...inPages);
    const found = names.flatMap((name) => {
      for (let place = path; ; place = place.slice(0, Math.max(0, place.lastIndexOf(`/${folder}`)))) {
        const ref = refs.get(`${place}${place && '/'}${folder}${name}`);
        if (ref) return [ref];
        if (place === '') return []; // a package for other systems or of the development
      }
    });
    return [...new Set(found)].toSorted();
  }

  const components = new Map(paths.map((path) => [refs.get(path)!, componentOf(nameOf(path), packages[path]!)]));
  const dependencies = new Map(['', ...paths].map((path) => [refs.get(path) ?? own, needs(path)]));
  const { name, version, description, license } = manifest;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl: own,
      },
    },
    components: [...components.values()],
    dependencies: [...dependencies].map(([ref, dependsOn]) => ({ ref, dependsOn })),
  };
}

function componentOf(name: string, { version, integrity, license, optional }: LockedPackage): object {
  const purl = purlOf(name, version);
  const content = integrity && Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: optional ? 'optional' : 'required',
    ...(content && { hashes: [{ alg: 'SHA-512', content }] }),
    ...(license && { licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }] }),
    purl,
  };
}

import { BlockList, isIP } from 'node:net';

const privateNetworks = new BlockList();
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
]) {
  const [address = '', bits] = network.split('/');
  privateNetworks.addSubnet(address, Number(bits), 'ipv4');
}
// The last three contain IPv4 addresses: NAT64, Teredo and 6to4.
for (const network of [
  '::/127',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '64:ff9b::/32',
  '2001::/32',
  '2002::/16',
]) {
  const [address = '', bits] = network.split('/');
  privateNetworks.addSubnet(address, Number(bits), 'ipv6');
}

/** Returns whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !privateNetworks.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

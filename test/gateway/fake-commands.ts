import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';

// Answers in nmcli's terse form. Its state is the files beside it; the password that joins is "right password". A profile
// is a line of `profiles`: uuid, type, device that uses it, network, password. As the real one does, it changes the profile
// of a network that it knows, unless it is given another name: then it makes one more. It joins none while there is a `hold`.
const nmcli = `#!/bin/sh
here=\${0%/*}
echo "nmcli $*" >> "$here/calls"
case "$*" in
  *"device status") cat "$here/devices" ;;
  "radio wifi") cat "$here/radio" ;;
  *"device wifi list "*) cat "$here/list" ;;
  "device wifi rescan "*)
    [ -f "$here/rescan-error" ] && { cat "$here/rescan-error" >&2; exit 1; }
    exit 0 ;;
  *"device wifi connect "*)
    while [ -s "$here/hold" ]; do sleep 0.02; done
    ask=$1 ssid= name= password=
    while [ $# -gt 0 ]; do
      case "$1" in connect) ssid=$2; shift ;; name) name=$2; shift ;; esac
      shift
    done
    if [ "$ask" = --ask ]; then printf 'Password: '; read -r password; fi
    if [ -z "$name" ] && grep -q "^[^:]*:[^:]*:[^:]*:$ssid:" "$here/profiles"; then
      sed "s/^\\([^:]*:[^:]*:[^:]*:$ssid\\):.*/\\1:$password/" "$here/profiles" > "$here/left"
    else
      sed 's/:wlan0:/::/' "$here/profiles" > "$here/left"
      uuid=added
      if grep -q ^added: "$here/profiles"; then uuid=added-$$; fi
      echo "$uuid:802-11-wireless:wlan0:$ssid:$password" >> "$here/left"
    fi
    mv "$here/left" "$here/profiles"
    [ "$ask" != --ask ] || [ "$password" = "right password" ] && exit 0
    echo "Error: Connection activation failed: $password is wrong." >&2
    exit 4 ;;
  *"connection show --active") grep -v "^[^:]*:[^:]*::" "$here/profiles" | cut -d: -f1-3 ;;
  *"connection show") cut -d: -f1-3 "$here/profiles" ;;
  *"802-11-wireless.ssid connection show uuid "*)
    while [ "$1" != show ]; do shift; done
    shift
    while [ $# -gt 0 ]; do
      sed -n "s/^\\($2\\):[^:]*:[^:]*:\\([^:]*\\):.*/connection.uuid:\\1\\n802-11-wireless.ssid:\\2\\n/p" "$here/profiles"
      shift 2
    done ;;
  "connection delete uuid "*)
    [ -f "$here/delete-error" ] && { cat "$here/delete-error" >&2; exit 1; }
    grep -v "^$4:" "$here/profiles" > "$here/left"; mv "$here/left" "$here/profiles" ;;
  "device disconnect "*) exit 0 ;;
  *) echo "Error: unexpected $*" >&2; exit 2 ;;
esac
`;

const bluetoothctl = `#!/bin/sh
here=\${0%/*}
cat "$here/bluetooth"
exit "$(cat "$here/bluetooth-exit")"
`;

export type FakeCommands = {
  /** for the PATH */
  path: string;
  write(file: string, text: string): Promise<void>;
  /** what was called, with its arguments */
  calls(): string[];
  profiles(): string[];
  /** of the profile with this id */
  passwordOf(uuid: string): string | undefined;
};

/** A folder with commands of a machine that has Wi-Fi and Bluetooth. */
export async function fakeCommands(t: Pick<TestContext, 'after'>): Promise<FakeCommands> {
  const folder = temporaryFolder(t);
  const write = (file: string, text: string): Promise<void> => writeFile(join(folder, file), text);
  const linesOf = (file: string): string[] => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean);
  for (const [name, text] of Object.entries({ nmcli, bluetoothctl })) {
    await write(name, text);
    await chmod(join(folder, name), 0o755);
  }
  await write('calls', '');
  await write('radio', 'enabled\n');
  await write('devices', 'ethernet:connected:eth0\nwifi:connected:wlan0\nwifi-p2p:disconnected:p2p-dev-wlan0\n');
  await write(
    'list',
    ' :Home:40:WPA2\n*:Home:71:WPA2\n :Café\\:5G\\\\:90:WPA1 WPA2\n ::88:WPA2\n :Guests:30:\n :Guests:29:--\n',
  );
  await write(
    'profiles',
    [
      'home:802-11-wireless:wlan0:Home:right password',
      'wired:802-3-ethernet:eth0::',
      'old:802-11-wireless::Old:right password',
      '',
    ].join('\n'),
  );
  await write('bluetooth', 'Changing power off succeeded\n');
  await write('bluetooth-exit', '0');
  return {
    path: `${folder}:/usr/bin:/bin`,
    write,
    calls: () => linesOf('calls'),
    profiles: () => linesOf('profiles').map((line) => line.split(':')[0]!),
    passwordOf: (uuid) =>
      linesOf('profiles')
        .map((line) => line.split(':'))
        .find(([id]) => id === uuid)?.[4],
  };
}

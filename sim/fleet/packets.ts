// MQTT 3.1.1, as much as a gateway that only reports needs.

const connect = 0x10;
const publishQos1 = 0x32;
const withPasswordClean = 0xc2; // user name, password, clean session
const noKeepAlive = [0, 0];

export const connackBytes = 4;
export const pubackBytes = 4;

export function connectPacket({ serial, password }: { serial: string; password: string }): Buffer {
  const protocol = [0, 4, ...Buffer.from('MQTT'), 4, withPasswordClean, ...noKeepAlive];
  return packet(connect, [Buffer.from(protocol), text(serial), text(serial), text(password)]);
}

export const publishPacket = (topic: string, id: number, payload: string): Buffer =>
  packet(publishQos1, [text(topic), Buffer.from([id >> 8, id & 0xff]), Buffer.from(payload)]);

/** The packet that the acknowledgement at this place is of. */
export const idOfPuback = (bytes: Buffer, place: number): number => bytes.readUInt16BE(place + 2);

function packet(type: number, parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([type, ...lengthOf(body.length)]), body]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

/** Seven bits a byte, the lowest first. */
function lengthOf(length: number): number[] {
  return length < 128 ? [length] : [(length & 127) | 128, ...lengthOf(length >> 7)];
}

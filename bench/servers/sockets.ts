// Holds connections without MQTT: answers every chunk with an accepted login.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { report } from './report.ts';

const accepted = Buffer.from([0x20, 2, 0, 0]); // CONNACK
const server = createServer({ noDelay: true }, (socket) => {
  socket.on('data', () => socket.write(accepted)).on('error', () => {});
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
report({ url: `tcp://127.0.0.1:${port}`, mqttUrl: `mqtt://127.0.0.1:${port}` }, async () => void server.close());

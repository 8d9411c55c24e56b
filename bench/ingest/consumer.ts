// Subscribes to everything at a broker, and reports the number of messages and their cost on request.
import mqtt from 'mqtt';

export type Consumed = { count: number; cpuUs: number; loopUs: number };

let count = 0;
const client = await mqtt.connectAsync(process.argv[2]!);
client.on('message', () => {
  count++;
});
await client.subscribeAsync('#', { qos: 1 });

const tell = (): void => {
  const total = process.cpuUsage();
  const loop = process.threadCpuUsage();
  const consumed = { count, cpuUs: total.user + total.system, loopUs: loop.user + loop.system };
  process.send?.(consumed satisfies Consumed);
};
process.on('message', tell);
process.on('disconnect', () => process.exit());
tell();

import './mqtt-packet-cache.ts';

export { connect, connectAsync, MqttClient } from 'mqtt';

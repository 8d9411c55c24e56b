import './lean-mqtt.ts';

export { connect, connectAsync, MqttClient } from 'mqtt';

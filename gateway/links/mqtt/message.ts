export type MqttMessage = {
  topic: string;
  payload: Uint8Array;
  /** ms, when it arrived */
  at: number;
  /** kept by the broker: of unknown age */
  isRetained: boolean;
};

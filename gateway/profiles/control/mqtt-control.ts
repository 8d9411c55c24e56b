import type { MqttMessage } from '../../links/mqtt/message.ts';
import type { Asked, ControlInfo, Facts, Part } from './control-profile.ts';

/** A message of a sequence, and how the device shows that it has obeyed. */
export type Step = {
  topic: string;
  payload: string;
  /** Whether the device says that it did or did not; undefined for a message about something else. */
  answer?(heard: MqttMessage): boolean | undefined;
};

/** What a sequence is made with, new each time. */
export type Moment = { unixS: number; transId(): string };

export type PartMessages = {
  set(asked: Asked, facts: Facts, moment: Moment): readonly Step[];
  release(facts: Facts, moment: Moment): readonly Step[];
};

/** How a device is controlled through its broker. */
export type MqttControl = ControlInfo & {
  subscribe: readonly string[];
  /** what a message tells that the sequences need */
  learn?(message: MqttMessage): Facts | undefined;
  /** taking control of the device that says this, before the first set point */
  take?(message: MqttMessage): readonly Step[] | undefined;
  /** without these nothing is sent */
  essential?: readonly string[];
} & Partial<Record<Part, PartMessages>>;

import { Problem, type ProblemCode } from '#contract/problem.ts';
import { LinkError } from '../links/link-error.ts';
import { LineInUse } from '../links/modbus/buses.ts';
import { ModbusException } from '../links/modbus/unit.ts';
import { MissingFact } from '../profiles/control/control-profile.ts';
import { NotThisDevice } from '../profiles/profile.ts';

/** Returns a handler for `catch` that throws errors of these types as a Problem, and others unchanged. */
export const orProblemOf =
  (...codes: readonly [new (...args: never[]) => Error, ProblemCode][]) =>
  (error: unknown): never => {
    const [, code] = codes.find(([type]) => error instanceof type) ?? [];
    if (code && error instanceof Error) throw new Problem(code, error.message, {}, { cause: error });
    throw error;
  };

/** Rethrows an error of a device or its link as a Problem, and other errors unchanged. */
export const throwDeviceProblem: (error: unknown) => never = orProblemOf(
  [LinkError, 'device_unreachable'],
  [ModbusException, 'device_unreachable'],
  [NotThisDevice, 'invalid_request'],
  [LineInUse, 'conflict'],
  [MissingFact, 'not_implemented'],
);

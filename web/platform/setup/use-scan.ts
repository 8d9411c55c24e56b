import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { getGatewayScan, listManagedDevices, scanFromGateway } from '#contract/cloud/manage.ts';
import type { GatewayScan, ManagedDevice } from '#contract/manage.ts';
import { Problem } from '#contract/problem.ts';
import { timeNow } from '../../parts/now.ts';
import { api } from '../session.ts';

export type Search = {
  scan?: GatewayScan;
  /** devices that the gateway reads already */
  managed?: readonly ManagedDevice[];
  /** why the gateway cannot be asked; asking continues while it may still connect */
  problem?: unknown;
};

const askMs = 1000;
const freshMs = 120_000;

/** Makes the gateway search for devices, unless it has just done so, and follows the search. */
export function useScan(serial: string): { search: Search; again(): void } {
  const state = useSignal<Search>({});
  const round = useSignal(0);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const params = { params: { serial }, signal };
    const isRepeated = round.peek() > 0;

    async function follow(): Promise<void> {
      const { devices: managed } = await api().call(listManagedDevices, params);
      let scan = await api().call(getGatewayScan, params);
      const age = scan.ended_at === undefined ? Number.POSITIVE_INFINITY : timeNow() - scan.ended_at;
      if (scan.state === 'none' || (scan.state === 'done' && (isRepeated || age > freshMs)))
        scan = await api().call(scanFromGateway, params);
      state.value = { scan, managed };
      while (scan.state === 'running') {
        await pause(signal);
        scan = await api().call(getGatewayScan, params);
        state.value = { scan, managed };
      }
    }

    async function run(): Promise<void> {
      for (;;) {
        try {
          return await follow();
        } catch (problem) {
          if (signal.aborted) return;
          state.value = { ...state.peek(), problem };
          const mayRecover = problem instanceof Problem && ['gateway_offline', 'unavailable'].includes(problem.code);
          if (!mayRecover) return;
        }
        await pause(signal);
      }
    }

    state.value = {};
    run().catch(() => undefined); // it was aborted
    return () => leaving.abort();
  }, [serial, round.value]);
  return {
    search: state.value,
    again() {
      round.value += 1;
    },
  };
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, askMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

import { parentPort, workerData } from 'node:worker_threads';
import { type PlantedMistake, simulateDays } from '#gateway/plan/testing/simulated-days.ts';

export type SimulatedDays = { seed: number; days: number; planted?: PlantedMistake };

const { seed, days, planted } = workerData as SimulatedDays;
parentPort?.postMessage(simulateDays(seed, days, planted));

import { table } from './table.ts';

const answers = table('idempotency');

export const findAnswer = answers.find('caller', 'key');
export const storeAnswer = answers.insert();
export const deleteOldAnswers = answers.delete('created_at <');

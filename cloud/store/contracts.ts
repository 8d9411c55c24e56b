import { table } from './table.ts';

const contracts = table('site_contracts');

export const findContract = contracts.find('site_id');
export const saveContract = contracts.save(['site_id'], 'periods', 'changed_at');

/** Routes and schemas of the price service. */
export * from '../price/carbon.ts';
export * from '../price/contract.ts';
export * from '../price/electricity.ts';
export * from '../price/eltariff.ts';
export * from '../price/legacy.ts';
export * from '../price/routes.ts';
export * from '../price/tariffs.ts';
export * from '../price/total.ts';

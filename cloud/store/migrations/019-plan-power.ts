/** Adds the power charges of the month until the end of a day: planned, actual, and without plans. */
export const planPower = `
  alter table plan_days add column power_promised double precision;
  alter table plan_days add column power_realised double precision;
  alter table plan_days add column power_self_consumption double precision`;

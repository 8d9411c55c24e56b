// The rows of plans, in both engines.

/** A site with goals of plans. */
export type PlanSiteRow = {
  site_id: string;
  goals: string; // JSON, the changed ones
  is_on: number; // 1 if plans are made
  due_at: number; // when the next plan is made
  because: string; // why
  claimed_until: number; // a process is making a plan until then
  failures: number; // in a row
  status: 'waiting' | 'current' | 'failed'; // of the last try
  message: string | null; // the missing part, or why it failed
  seen: string | null; // what the last plan was made from, so that changes are noticed
};

export type PlanRow = {
  id: string;
  site_id: string;
  made_at: number;
  day: string; // local day on which it was made
  kept_until: number;
  version: number; // of the planner
  inputs: Uint8Array; // compressed JSON
  result: Uint8Array; // compressed JSON
};

/** The cost of a local day, and how good its forecasts were. */
export type PlanDayRow = {
  site_id: string;
  day: string;
  plans: number;
  promised: number | null;
  realised: number | null;
  self_consumption: number | null;
  load_error_w: number | null;
  solar_error_w: number | null;
  price_error: number | null;
  // power charges of the month until the end of the day
  power_promised: number | null;
  power_realised: number | null;
  power_self_consumption: number | null;
};

/** The plan that a gateway should carry out. */
export type PlanGatewayRow = {
  serial: string;
  site_id: string | null; // null when the site was deleted
  plan_id: string | null; // null when the plan is withdrawn
  plan: string | null; // JSON, as it is signed
  progress: string | null; // JSON, as the gateway reported it
};

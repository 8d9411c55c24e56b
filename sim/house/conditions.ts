/** What somebody plays with a house; null is what the house does by itself. */
export type Conditions = {
  /** 0 is a clear sky, 1 an overcast one */
  clouds: number | null;
  /** hours since midnight by the sun, which then stands still there */
  sunHour: number | null;
  extraLoad_W: number;
  isCarHome: boolean | null;
  /** what the car takes while nobody commands otherwise */
  carCharge_W: number | null;
};

export const ownConditions: Conditions = {
  clouds: null,
  sunHour: null,
  extraLoad_W: 0,
  isCarHome: null,
  carCharge_W: null,
};

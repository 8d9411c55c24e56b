export type StorageColumns = {
  charge: number[];
  discharge: number[];
  level: number[];
  /** by step, whether a storage with a minimum charges */
  on: (number | undefined)[];
};

/** The columns of a program. Powers are in kW, levels in kWh. */
export type Columns = { imported: number[]; exported: number[]; solar: number[]; storages: StorageColumns[] };

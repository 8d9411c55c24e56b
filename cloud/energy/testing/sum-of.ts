export const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

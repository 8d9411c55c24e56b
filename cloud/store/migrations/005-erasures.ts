/** Lists deleted DERs whose telemetry is still to be erased. */
export const erasures = 'create table erasures (der_no bigint primary key, deleted_at bigint not null)';

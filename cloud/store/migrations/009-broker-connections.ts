/** Adds the clients that are connected to the processes of a platform. Each connection of a client has a higher epoch than the one before. */
export const brokerConnections = `
  create table broker_connections (
    client_id text primary key, owner text not null, node text not null, previous_node text,
    epoch bigint not null, expires_at bigint not null
  );
  create index broker_connections_by_owner on broker_connections (owner);
  create index broker_connections_by_previous_node on broker_connections (previous_node);
  create index broker_connections_by_expiry on broker_connections (expires_at)`;

/** The store of records on an etcd cluster, by its gRPC API (https://etcd.io/docs/v3.6/dev-guide/api_reference_v3/). */
package io.quorumlock.engines.etcd;

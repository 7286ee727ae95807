/** The store of records on an etcd cluster, by the JSON gateway of its API (https://etcd.io/docs/v3.6/dev-guide/api_grpc_gateway/). */
package io.quorumlock.etcd;

// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import com.google.protobuf.ByteString;
import io.quorumlock.core.fleet.Login;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.RecordStore.StoredUptime;
import io.quorumlock.engines.consensus.StoredRecord;
import java.util.List;
import java.util.Optional;

/** The requests to a member, as {@code rpc.proto} of etcd defines them. */
final class Requests {
    static final String RANGE = "etcdserverpb.KV/Range";
    static final String TXN = "etcdserverpb.KV/Txn";
    static final String WATCH = "etcdserverpb.Watch/Watch";
    static final String AUTHENTICATE = "etcdserverpb.Auth/Authenticate";
    static final String STATUS = "etcdserverpb.Maintenance/Status";

    private Requests() {}

    /** Reads records at one revision. A transaction is linearizable, unless a range in it asks for less. */
    static ByteString read(List<ResourceName> names, RecordKeys keys) {
        return Message.of(out -> {
            for (ResourceName name : names) {
                out.writeBytes(2, readOne(keys.of(name))); // success: there are no conditions
            }
        });
    }

    private static ByteString readOne(ByteString key) {
        return Message.of(operation -> operation.writeBytes(1, range(key))); // request_range
    }

    static ByteString range(ByteString key) {
        return Message.of(out -> out.writeBytes(1, key));
    }

    /** Makes changes if all keys are as they were read, and reads the keys otherwise. A key that does not exist has the revision 0. */
    static ByteString transaction(List<Change> changes, RecordKeys keys) {
        return Message.of(out -> {
            for (Change change : changes) {
                ByteString key = keys.of(change.name());
                out.writeBytes(
                        1,
                        condition(key, change.read().map(StoredRecord::version).orElse("0")));
                out.writeBytes(2, operation(key, change.text())); // success
                out.writeBytes(3, readOne(key)); // failure
            }
        });
    }

    /**
     * Makes several transactions, each if its own conditions hold. Their changes are repeated, without contents, in the branch
     * that is never taken, because older versions check neither the rights nor the space for nested changes.
     */
    static ByteString group(List<List<Change>> transactions, RecordKeys keys) {
        return Message.of(out -> {
            for (List<Change> changes : transactions) {
                ByteString nested = transaction(changes, keys);
                out.writeBytes(2, Message.of(operation -> operation.writeBytes(4, nested))); // success: request_txn
                for (Change change : changes) {
                    out.writeBytes(
                            3, operation(keys.of(change.name()), change.text().map(text -> ""))); // failure
                }
            }
        });
    }

    /** Writes the uptime, if it is as it was read. */
    static ByteString writeUptime(StoredUptime read, String text, RecordKeys keys) {
        return Message.of(out -> {
            out.writeBytes(1, condition(keys.uptime(), Long.toString(read.version())));
            out.writeBytes(2, operation(keys.uptime(), Optional.of(text))); // success
        });
    }

    /** Writes the layout if there is no key at all, and reads it otherwise. */
    static ByteString createLayout(RecordKeys keys, String layout) {
        return Message.of(out -> {
            out.writeBytes(1, Message.of(condition -> {
                condition.writeEnum(2, 2); // target: MOD, which is 0; result: EQUAL, as by default
                condition.writeBytes(3, keys.layout());
                condition.writeBytes(64, keys.end()); // range_end
            }));
            out.writeBytes(2, operation(keys.layout(), Optional.of(layout))); // success
            out.writeBytes(3, readOne(keys.layout())); // failure
        });
    }

    private static ByteString condition(ByteString key, String version) {
        return Message.of(out -> {
            out.writeEnum(2, 2); // target: MOD; result: EQUAL, as by default
            out.writeBytes(3, key);
            out.writeInt64(6, Long.parseLong(version)); // mod_revision
        });
    }

    private static ByteString operation(ByteString key, Optional<String> text) {
        int kind = text.isPresent() ? 2 : 3; // request_put, request_delete_range
        ByteString request = Message.of(out -> {
            out.writeBytes(1, key);
            if (text.isPresent()) {
                out.writeString(2, text.get());
            }
        });
        return Message.of(out -> out.writeBytes(kind, request));
    }

    /** Reads the keys of a range as they were at a revision of the store, or 0 for now. */
    static ByteString keys(ByteString first, ByteString end, long revision, int limit) {
        return Message.of(out -> {
            out.writeBytes(1, first);
            out.writeBytes(2, end);
            out.writeInt64(3, limit);
            out.writeInt64(4, revision);
            out.writeBool(8, true); // keys_only
        });
    }

    /** Begins a watch of a range from a revision on. */
    static ByteString watch(ByteString first, ByteString end, long revision) {
        ByteString create = Message.of(out -> {
            out.writeBytes(1, first);
            out.writeBytes(2, end);
            out.writeInt64(3, revision);
            out.writeBool(8, true); // fragment: reports come in parts of limited size
        });
        return Message.of(out -> out.writeBytes(1, create));
    }

    static ByteString login(Login user) {
        return Message.of(out -> {
            out.writeString(1, user.user());
            out.writeString(2, user.password());
        });
    }
}

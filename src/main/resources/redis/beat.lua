-- Publishes a heartbeat to the replica that has the client's session.
-- ARGV[1] the session's channel
-- Returns the number of subscribers on this node; -1 on an error, for example without permission. An error would fail the batch.
local heard = redis.pcall('PUBLISH', ARGV[1], 'beat')
return type(heard) == 'number' and heard or -1

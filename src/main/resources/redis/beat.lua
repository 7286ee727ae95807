-- Publishes a heartbeat to the replica that has the client's session.
-- ARGV[1] the session's channel
-- Returns the number of subscribers on this node; -1 if unknown, for example without permission, so that the batch does not fail.
local heard = redis.pcall('PUBLISH', ARGV[1], 'beat')
return type(heard) == 'number' and heard or -1

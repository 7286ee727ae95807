-- Counts the subscribers of a channel. ARGV[1] the channel
-- Returns the number; 0 if it is unknown.
local counts = redis.pcall('PUBSUB', 'NUMSUB', ARGV[1])
return counts.err and 0 or counts[2]

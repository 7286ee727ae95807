-- Counts who listens to a channel. ARGV[1] the channel
-- Answers the number; 0 too where that cannot be known.
local counts = redis.pcall('PUBSUB', 'NUMSUB', ARGV[1])
return counts.err and 0 or counts[2]

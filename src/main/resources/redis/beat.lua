-- Tells whoever keeps a session that its client is there.
-- ARGV[1] the session's channel
-- Answers how many heard it here, -1: nobody may say, as of a user that lacks the command. It fails no batch.
local heard = redis.pcall('PUBLISH', ARGV[1], 'beat')
return type(heard) == 'number' and heard or -1

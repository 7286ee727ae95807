-- Stores the lease's fencing token if the token still holds the lock (R10), so that later grants on this node have larger ones.
-- KEYS[1] the lock, KEYS[2] its counter; ARGV[1] "token ", ARGV[2] the fence, ARGV[3] the attempt of the fence, or "",
-- ARGV[4] the channel of events, if there are subscribers
-- Returns 1: stored, 0: free, -2: another token holds it, {-1, error}.
local value = redis.pcall('GET', KEYS[1])
if not value then
  return 0
end
if type(value) ~= 'string' then
  return {-1, value.err}
end
if string.sub(value, 1, #ARGV[1]) ~= ARGV[1] then
  return -2
end
local counter = redis.pcall('GET', KEYS[2])
if type(counter) == 'table' then
  return {-1, counter.err}
end
if (counter and tonumber(counter) or 0) < tonumber(ARGV[2]) then
  local set = redis.pcall('SET', KEYS[2], ARGV[2])
  if not set.ok then
    return {-1, set.err}
  end
end
local attempt, used, known, raised, terms = string.match(value, '^%S+ (%S+) (%d+) (%d+)(=?) (.*)$')
-- The fence is lowered only in a value of this attempt that was not raised or confirmed since. This command can be a late one, of
-- an abandoned request with the same token. An equal fence is confirmed, because its lease is about to be answered.
local own = attempt == ARGV[3] or attempt == ARGV[3] .. '+'
local more = tonumber(ARGV[2]) - tonumber(known)
if more <= 0 and raised == '=' or more < 0 and not own then
  return 1
end
value = ARGV[1] .. attempt .. ' ' .. used .. ' ' .. ARGV[2] .. '= ' .. terms
local set = redis.pcall('SET', KEYS[1], value, 'KEEPTTL')
if not set.ok then
  return {-1, set.err}
end
if ARGV[4] then
  local owner = string.match(terms, '^%d+ (.*)$') or ''
  local left = redis.call('PTTL', KEYS[1])
  redis.pcall('PUBLISH', ARGV[4], 'acquired ' .. ARGV[2] .. ' ' .. left .. ' ' .. #KEYS[1] .. ' ' .. KEYS[1] .. owner)
end
return 1

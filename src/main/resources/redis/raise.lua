-- Stores the lease's fencing token if the token still holds the lock (R10), so that later grants on this master have larger ones.
-- KEYS[1] the lock, KEYS[2] its counter; ARGV[1] "token ", ARGV[2] the fence, ARGV[3] the channel of events, if there are subscribers
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
-- The fence is never lowered: a call may have been answered with the fence that it found. A larger fence is confirmed ("="), because
-- this master counts for the fence of this command.
local more = tonumber(ARGV[2]) - tonumber(known)
if more <= 0 and raised == '=' then
  return 1
end
local fence = more > 0 and ARGV[2] or known
value = ARGV[1] .. attempt .. ' ' .. used .. ' ' .. fence .. '= ' .. terms
local set = redis.pcall('SET', KEYS[1], value, 'KEEPTTL')
if not set.ok then
  return {-1, set.err}
end
if ARGV[3] and fence ~= known then
  local owner = string.match(terms, '^%d+ (.*)$') or ''
  local left = redis.call('PTTL', KEYS[1])
  redis.pcall('PUBLISH', ARGV[3], 'acquired ' .. fence .. ' ' .. left .. ' ' .. #KEYS[1] .. ' ' .. KEYS[1] .. owner)
end
return 1

-- Stores the lease's fencing token if the token still holds the locks (R10), so that later grants on this master have larger ones.
-- KEYS the n locks, then their n counters; ARGV[1] "token ", ARGV[2] the fence, ARGV[3] the channel of events, if there are
-- subscribers
-- Returns 1: stored, {0, i}: KEYS[i] is free or released, {-2, i}: another token holds it, {-1, error}.
local n = #KEYS / 2
local token = string.match(ARGV[1], '^%S+')
local value, ends, error
for i = 1, n do
  value, ends, error = read(KEYS[i], token)
  if error then
    return {-1, error}
  end
  if not value then
    return {0, i}
  end
  if string.sub(value, 1, #ARGV[1]) ~= ARGV[1] then
    return {-2, i}
  end
  if string.find(value, '^%S+ kept ') then
    return {0, i}
  end
end
error = raise_counters({unpack(KEYS, n + 1)}, ARGV[2])
if error then
  return {-1, error}
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
for i = 1, n do
  error = write(KEYS[i], token, value, ends)
  if error then
    return {-1, error}
  end
  if ARGV[3] and fence ~= known then
    local owner = string.match(terms, '^%S+ (.*)$') or ''
    local rest = left(KEYS[i], ends)
    redis.pcall('PUBLISH', ARGV[3], 'acquired ' .. fence .. ' ' .. rest .. ' ' .. #KEYS[i] .. ' ' .. KEYS[i] .. owner)
  end
end
return 1

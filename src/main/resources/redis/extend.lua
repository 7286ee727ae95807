-- Gives the lock a new TTL if the token still holds it (R7). Never shortens the TTL: if the reply is lost, the holder relies on
-- the old end.
-- KEYS[1] the lock; ARGV[1] "token ", ARGV[2] the TTL in ms, ARGV[3] the maximum number of extensions,
-- ARGV[4] the channel of events, if there are subscribers
-- Returns {used, fence, attempt, age}, 0: free, -2: another token holds it, -3: no extension left (R13), {-1, error}.
-- The age is the time in ms since the grant; -1 if the fence was raised, or if an earlier extension checked it.
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
local attempt, used, fence, terms = string.match(value, '^%S+ (%S+) (%d+) (%d+=?) (.*)$')
used = used + 1
if used > tonumber(ARGV[3]) then
  return -3
end
-- The "+" protects the extended value from the clean-up of an abandoned attempt, as after an adoption.
if string.sub(attempt, -1) ~= '+' then
  attempt = attempt .. '+'
end
local left = redis.call('PTTL', KEYS[1])
local age = -1
if used == 1 and string.sub(fence, -1) ~= '=' then
  -- Never -1, even if the wall clock was set back a little.
  age = math.max(0, string.match(terms, '^%d+') - left)
end
local ttl = math.max(left, tonumber(ARGV[2]))
value = ARGV[1] .. attempt .. ' ' .. used .. ' ' .. fence .. ' ' .. terms
local set = redis.pcall('SET', KEYS[1], value, 'PX', ttl)
if not set.ok then
  return {-1, set.err}
end
fence = string.match(fence, '%d+')
if ARGV[4] then
  local owner = string.match(terms, '^%d+ (.*)$') or ''
  redis.pcall('PUBLISH', ARGV[4], 'extended ' .. fence .. ' ' .. ttl .. ' ' .. #KEYS[1] .. ' ' .. KEYS[1] .. owner)
end
return {used, fence, attempt, age}

-- Takes the lock for one attempt, or says who has it (R3).
-- KEYS[1] the lock; ARGV[1] the value "token attempt used ttl owner", ARGV[2] the TTL in ms, ARGV[3] the token
-- Answers 1: granted. {0, left, value}: held by another. {2, left, used}: this token's already, adopted.
-- {3}: this token's, on other terms. {-1, error}.
local set = redis.pcall('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
if set then
  return set.ok and 1 or {-1, set.err}
end
local value = redis.pcall('GET', KEYS[1])
if type(value) ~= 'string' then
  return {-1, value and value.err or 'ERR lock vanished'}
end
local left = redis.call('PTTL', KEYS[1])
local mine = ARGV[3] .. ' '
if string.sub(value, 1, #mine) ~= mine then
  return {0, left, value}
end
local used, terms = string.match(value, '^%S+ %S+ (%d+) (.*)$')
local attempt, wanted = string.match(ARGV[1], '^%S+ (%S+) %d+ (.*)$')
if terms ~= wanted then
  return {3}
end
-- The new name has a mark that no clean-up looks for: neither attempt may delete what a lease already stands on.
local set = redis.pcall('SET', KEYS[1], mine .. attempt .. '+ ' .. used .. ' ' .. terms, 'KEEPTTL')
return set.ok and {2, left, used} or {-1, set.err}

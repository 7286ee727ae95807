-- Takes the lock for one attempt, or says who has it (R3), and counts the grant (R10).
-- KEYS[1] the lock, KEYS[2] its counter
-- ARGV[1] the value "token attempt used fence ttl owner", ARGV[2] the TTL in ms, ARGV[3] the token,
-- ARGV[4] where a new counter starts: milliseconds since 1970 times 1024
-- Answers the counter: granted. {0, left, value}: held by another. {2, left, used, fence}: this token's already, adopted.
-- {3}: this token's, on other terms. {-1, error}.
local set = redis.pcall('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
if set then
  if not set.ok then
    return {-1, set.err}
  end
  -- Only grants count, so while the lock is held its counter is its holder's fence.
  local fence = redis.pcall('INCR', KEYS[2])
  if type(fence) == 'number' and fence >= ARGV[4] - 530841600000 then
    return fence
  end
  -- New, lost, or made six days ago: a counter starts again before it expires, which is not while a lease needs it.
  local made = type(fence) == 'number' and redis.pcall('SET', KEYS[2], ARGV[4], 'PX', 604800000) or fence
  if made.ok then
    return tonumber(ARGV[4])
  end
  redis.call('DEL', KEYS[1])
  return {-1, made.err}
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
local used, fence, terms = string.match(value, '^%S+ %S+ (%d+) (%S+) (.*)$')
local attempt, wanted = string.match(ARGV[1], '^%S+ (%S+) %d+ %S+ (.*)$')
if terms ~= wanted then
  return {3}
end
-- The new name has a mark that no clean-up looks for: neither attempt may delete what a lease already stands on.
local set = redis.pcall('SET', KEYS[1], mine .. attempt .. '+ ' .. used .. ' ' .. fence .. ' ' .. terms, 'KEEPTTL')
if not set.ok then
  return {-1, set.err}
end
return {2, left, used, fence ~= '-' and fence or redis.call('GET', KEYS[2])}

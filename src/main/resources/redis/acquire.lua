-- Acquires the lock for one attempt and stores its fencing token (R3, R10), or returns the current holder.
-- KEYS[1] the lock, KEYS[2] the counter of fencing tokens, shared with other locks
-- ARGV[1] the value "token attempt used fence ttl owner", ARGV[2] the TTL in ms, ARGV[3] the proposed fence, as in the value,
-- ARGV[4] the channel of events, if there are subscribers
-- Returns the fence: granted. {0, left, value}: another token holds the lock. {2, left, used, fence, age}: this token held it,
-- adopted. {3}: this token holds it on other terms. {-1, error}.
-- The age is the time in ms since the grant; 0 if unknown; -1 if the fence was raised, and so was checked.
local set = redis.pcall('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
if set then
  if set.err then
    return {-1, set.err}
  end
  local last = redis.pcall('GETSET', KEYS[2], ARGV[3])
  local fence = tonumber(ARGV[3])
  local digits = ARGV[3]
  local counted = last and tonumber(last)
  if last and not counted then
    redis.call('DEL', KEYS[1])
    return {-1, last.err or 'ERR not a counter'}
  end
  if counted and counted >= fence then
    -- Another grant followed the proposal, or the proposing replica did not know the time.
    redis.call('SET', KEYS[2], last)
    if counted >= 9007199254740991 then
      -- The counter is full. The master does not vote, because the next token would be smaller or not exact in JSON.
      redis.call('DEL', KEYS[1])
      return {-1, 'FENCE_FULL the counter has reached 2^53 - 1'}
    end
    fence = redis.call('INCR', KEYS[2])
    digits = redis.call('GET', KEYS[2])
    local head, tail = string.match(ARGV[1], '^(%S+ %S+ %d+ )%d+( .*)$')
    redis.call('SET', KEYS[1], head .. digits .. tail, 'KEEPTTL')
  end
  if ARGV[4] then
    local owner = string.match(ARGV[1], '^%S+ %S+ %d+ %d+ %d+ (.*)$') or ''
    local news = 'acquired ' .. digits .. ' ' .. ARGV[2] .. ' ' .. #KEYS[1] .. ' ' .. KEYS[1] .. owner
    redis.pcall('PUBLISH', ARGV[4], news)
  end
  return fence
end
local value = redis.pcall('GET', KEYS[1])
if type(value) ~= 'string' then
  return {-1, value and value.err or 'ERR lock vanished'}
end
local left = redis.call('PTTL', KEYS[1])
local mine = string.match(ARGV[1], '^%S+ ')
if string.sub(value, 1, #mine) ~= mine then
  return {0, left, value}
end
local used, fence, terms = string.match(value, '^%S+ %S+ (%d+) (%d+=?) (.*)$')
local attempt, wanted = string.match(ARGV[1], '^%S+ (%S+) %d+ %d+ (.*)$')
if terms ~= wanted then
  return {3}
end
-- The "+" protects the value from the clean-up of both attempts, because a lease may already be based on it.
local set = redis.pcall('SET', KEYS[1], mine .. attempt .. '+ ' .. used .. ' ' .. fence .. ' ' .. terms, 'KEEPTTL')
if not set.ok then
  return {-1, set.err}
end
local age = 0
if string.sub(fence, -1) == '=' then
  age = -1
elseif used == '0' then
  -- Never -1, even if the wall clock was set back a little.
  age = math.max(0, string.match(terms, '^%d+') - left)
end
return {2, left, used, string.match(fence, '%d+'), age}

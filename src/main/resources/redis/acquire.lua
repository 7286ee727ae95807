-- Acquires the locks for one attempt, all or none, and stores their fencing token (R3, R10), or returns the current holder.
-- KEYS the n locks, then their n counters of fencing tokens, shared with other locks
-- ARGV[1] the value "token attempt used fence terms owner", ARGV[2] the TTL in ms, ARGV[3] the proposed fence, as in the value,
-- ARGV[4] the channel of events, if there are subscribers
-- Returns the fence: granted. {0, left, value, i, …}: other tokens hold the locks KEYS[i]. {2, left, used, fence, age}: this
-- token held them, adopted. {3}: this token holds some of them, or on other terms. {-1, error}.
-- The age is the time in ms since the grant; 0 if unknown; -1 if the fence was raised, and so was checked.
local n = #KEYS / 2

-- Returns the fence, larger than all counters, as a number and as text; nil and an error if there is none. Names may share a
-- counter.
local function count()
  local most = '0'
  for i = 1, n do
    local counter = redis.pcall('GET', KEYS[n + i])
    if counter and not tonumber(counter) then
      return nil, counter.err or 'ERR not a counter'
    end
    if counter and tonumber(counter) > tonumber(most) then
      most = counter
    end
  end
  local fence, digits = tonumber(ARGV[3]), ARGV[3]
  if tonumber(most) >= 9007199254740991 then
    -- The counter is full. The master does not vote, because the next token would be smaller or not exact in JSON.
    return nil, 'FENCE_FULL the counter has reached 2^53 - 1'
  end
  if tonumber(most) >= fence then
    -- Another grant followed the proposal, or the proposing replica did not know the time.
    redis.call('SET', KEYS[n + 1], most)
    fence = redis.call('INCR', KEYS[n + 1])
    digits = redis.call('GET', KEYS[n + 1])
  end
  for i = 1, n do
    redis.call('SET', KEYS[n + i], digits)
  end
  return fence, digits
end

local created = 0
if n == 1 or redis.call('EXISTS', unpack(KEYS, 1, n)) == 0 then
  for i = 1, n do
    local set = redis.pcall('SET', KEYS[i], ARGV[1], 'NX', 'PX', ARGV[2])
    if set and set.err then
      -- Nothing was written: Redis checks its memory only before the first write of a script.
      return {-1, set.err}
    end
    created = set and i or created
  end
end
if created > 0 then
  local fence, digits = count()
  if not fence then
    redis.call('DEL', unpack(KEYS, 1, n))
    return {-1, digits}
  end
  if digits ~= ARGV[3] then
    local head, tail = string.match(ARGV[1], '^(%S+ %S+ %d+ )%d+( .*)$')
    for i = 1, n do
      redis.call('SET', KEYS[i], head .. digits .. tail, 'KEEPTTL')
    end
  end
  if ARGV[4] then
    local owner = string.match(ARGV[1], '^%S+ %S+ %d+ %d+ %S+ (.*)$') or ''
    for i = 1, n do
      local news = 'acquired ' .. digits .. ' ' .. ARGV[2] .. ' ' .. #KEYS[i] .. ' ' .. KEYS[i] .. owner
      redis.pcall('PUBLISH', ARGV[4], news)
    end
  end
  return fence
end

local mine = string.match(ARGV[1], '^%S+ ')
local attempt, wanted = string.match(ARGV[1], '^%S+ (%S+) %d+ %d+ (.*)$')
local taken, first = {0}, nil
for i = 1, n do
  local value = redis.pcall('GET', KEYS[i])
  if type(value) == 'table' then
    return {-1, value.err}
  end
  if value and (string.sub(value, 1, #mine) ~= mine or string.find(value, '^%S+ kept ')) then
    taken[#taken + 1] = redis.call('PTTL', KEYS[i])
    taken[#taken + 1] = value
    taken[#taken + 1] = i
  end
  -- All values of a lease are equal.
  if i == 1 then
    first = value
  elseif first ~= value then
    first = nil
  end
end
if taken[2] then
  return taken
end
local used, fence, terms = string.match(first or '', '^%S+ %S+ (%d+) (%d+=?) (.*)$')
if terms ~= wanted then
  return {3}
end
local left = math.huge
for i = 1, n do
  left = math.min(left, redis.call('PTTL', KEYS[i]))
  -- The "+" protects the value from the clean-up of both attempts, because a lease may already be based on it.
  local set = redis.pcall('SET', KEYS[i], mine .. attempt .. '+ ' .. used .. ' ' .. fence .. ' ' .. terms, 'KEEPTTL')
  if not set.ok then
    return {-1, set.err}
  end
end
local age = 0
if string.sub(fence, -1) == '=' then
  age = -1
elseif used == '0' then
  -- Never -1, even if the wall clock was set back a little.
  age = math.max(0, string.match(terms, '^%d+') - left)
end
return {2, left, used, string.match(fence, '%d+'), age}

-- Functions of the scripts that acquire. KEYS the n locks, then their n counters of fencing tokens, shared with other locks
-- ARGV[1] the value "token attempt used fence terms owner", ARGV[2] the TTL in ms, ARGV[3] the proposed fence, as in the value,
-- ARGV[4] the channel of events, or ""
local n = #KEYS / 2
local token, attempt, wanted = string.match(ARGV[1], '^(%S+) (%S+) %d+ %d+ (.*)$')

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

-- Stores the fence of locks whose values were just written (R3, R10), and returns the reply. Withdraws the values with the given
-- function if there is no fence.
local function grant(withdraw)
  local fence, digits = count()
  if not fence then
    withdraw()
    return {-1, digits}
  end
  if digits ~= ARGV[3] then
    local head, tail = string.match(ARGV[1], '^(%S+ %S+ %d+ )%d+( .*)$')
    for i = 1, n do
      local _, ends = read(KEYS[i], token)
      write(KEYS[i], token, head .. digits .. tail, ends)
    end
  end
  if ARGV[4] ~= '' then
    local owner = string.match(wanted, '^%S+ (.*)$')
    for i = 1, n do
      local news = 'acquired' .. kind_of(wanted) .. ' ' .. digits .. ' ' .. ARGV[2] .. ' ' .. #KEYS[i] .. ' ' .. KEYS[i] .. owner
      redis.pcall('PUBLISH', ARGV[4], news)
    end
  end
  return fence
end

-- Takes over the value of an earlier attempt with the same token and terms, and returns the reply.
local function adopt(value)
  local used, fence, terms = string.match(value, '^%S+ %S+ (%d+) (%d+=?) (.*)$')
  local least = math.huge
  for i = 1, n do
    local _, ends = read(KEYS[i], token)
    least = math.min(least, left(KEYS[i], ends))
    -- The "+" protects the value from the clean-up of both attempts, because a lease may already be based on it.
    local error = write(KEYS[i], token, token .. ' ' .. attempt .. '+ ' .. used .. ' ' .. fence .. ' ' .. terms, ends)
    if error then
      return {-1, error}
    end
  end
  local age = 0
  if string.sub(fence, -1) == '=' then
    age = -1
  elseif used == '0' then
    -- Never -1, even if the wall clock was set back a little.
    age = math.max(0, string.match(terms, '^%d+') - least)
  end
  return {2, least, used, string.match(fence, '%d+'), age}
end

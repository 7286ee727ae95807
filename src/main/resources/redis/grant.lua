-- Functions of the scripts that acquire. KEYS the n locks, then their n counters of fencing tokens, shared with other locks
-- lease    the value to write
-- ttl      in ms
-- proposed the fence in the value
-- events   the channel of events, or ""
local n = #KEYS / 2
local lease, ttl, proposed, events = unpack(ARGV)
local token, attempt, used, _, _, terms, owner = parse(lease)

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
  local fence, digits = tonumber(proposed), proposed
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
  if digits ~= proposed then
    for i = 1, n do
      local _, ends = read(KEYS[i], token)
      write(KEYS[i], token, format(token, attempt, used, digits, '', terms, owner), ends)
    end
  end
  if events ~= '' then
    for i = 1, n do
      local news = 'acquired' .. kind_of(terms) .. ' ' .. digits .. ' ' .. ttl .. ' ' .. #KEYS[i] .. ' ' .. KEYS[i] .. owner
      redis.pcall('PUBLISH', events, news)
    end
  end
  return fence
end

-- Returns whether a value of this token has the same terms and owner.
local function is_same(value)
  local _, _, _, _, _, others, name = parse(value)
  return others == terms and name == owner
end

-- Takes over the value of an earlier attempt with the same token and terms, and returns the reply.
local function adopt(value)
  local _, _, extensions, fence, raised = parse(value)
  local least = math.huge
  for i = 1, n do
    local _, ends = read(KEYS[i], token)
    least = math.min(least, left(KEYS[i], ends))
    -- The "+" protects the value from the clean-up of both attempts, because a lease may already be based on it.
    local error = write(KEYS[i], token, format(token, attempt .. '+', extensions, fence, raised, terms, owner), ends)
    if error then
      return {-1, error}
    end
  end
  local age = 0
  if raised == '=' then
    age = -1
  elseif extensions == '0' then
    -- Never -1, even if the wall clock was set back a little.
    age = math.max(0, string.match(terms, '^%d+') - least)
  end
  return {2, least, extensions, fence, age}
end

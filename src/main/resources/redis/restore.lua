-- Writes a lease that a majority has where it is missing (R7), in two steps: a permission first. A delete that does not find the lease
-- ends it.
-- KEYS the n locks, then their n counters
-- lease      the value to write
-- permission its name
-- lasting    how long the permission lasts in ms, and the restored lease; "" to use the permission
-- Returns the name of the permission, which may be an earlier one; 1: restored, {0, 1}: not permitted, {-2, i}: KEYS[i] is not free for
-- the lease, {-1, error}.
local n = #KEYS / 2
local lease, permission, lasting = unpack(ARGV)
local token, _, _, fence, _, terms = parse(lease)
local kind, slot = string.match(kind_of(terms), '^(/%l+%d*)%.?(%d*)$')
local MOST_HOLDERS = 1000

-- Returns whether no value excludes the lease, and the smallest end of other holders. A waiting writer does not exclude a reader that a
-- majority has already.
local function is_free(key)
  if redis.call('TYPE', key).ok == 'none' then
    return true
  end
  local found, of, first = holders(key)
  if not kind or not found or #found >= MOST_HOLDERS or found[1] and of ~= kind then
    return false
  end
  for _, holder in ipairs(found) do
    if holder[1] == token or slot ~= '' and slot_of(holder[3]) == slot then
      return false
    end
  end
  return true, first
end

local first
for i = 1, n do
  local free
  free, first = is_free(KEYS[i])
  if not free then
    return {-2, i}
  end
end
local permitted, left = redis.call('GET', permit_of(KEYS[1], token)), math.huge
for i = 1, n do
  local permit = permit_of(KEYS[i], token)
  if redis.call('GET', permit) ~= permitted then
    permitted = nil
  end
  left = math.min(left, redis.call('PTTL', permit))
end
if lasting ~= '' then
  permitted = permitted or permission
  for i = 1, n do
    redis.call('SET', permit_of(KEYS[i], token), permitted, 'PX', lasting)
  end
  return permitted
end
if permitted ~= permission then
  return {0, 1}
end
local error = raise_counters({unpack(KEYS, n + 1)}, fence)
if error then
  return {-1, error}
end
for i = 1, n do
  redis.call('DEL', permit_of(KEYS[i], token))
end
if not kind then
  for i = 1, n do
    redis.call('SET', KEYS[i], lease, 'PX', left)
  end
  return 1
end
local ends = now() + left
local _, _, mark, writer = header(KEYS[1])
redis.call('HSET', KEYS[1], token, ends .. ' ' .. lease)
write_header(KEYS[1], kind, math.min(first or ends, ends), mark or 0, writer or '')
if redis.call('PTTL', KEYS[1]) < left then
  redis.call('PEXPIRE', KEYS[1], left)
end
return 1

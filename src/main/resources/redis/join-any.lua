-- The acquire of a slot, and of a shared lock that is not only shared now: the rest of join.lua.
local key, kind, slot = KEYS[1], ARGV[5], ARGV[6]

-- Returns the reply for a token that is a holder already, in whichever slot.
local function rejoin(value)
  if is_same(value) then
    return adopt(value)
  end
  local _, _, _, _, _, others, name = parse(value)
  local number = '%.%d+$'
  if slot ~= '' and name == owner and string.gsub(others, number, '') == string.gsub(terms, number, '') then
    return {5, 0, value, 1, tonumber(slot_of(value))}
  end
  return {3}
end

-- Returns the refusal by some holders, with the time until the first or the last one ends.
local function refused(found, first)
  local chosen = found[1]
  for _, holder in ipairs(found) do
    if (holder[2] < chosen[2]) == first then
      chosen = holder
    end
  end
  return {0, math.max(0, chosen[2] - now()), chosen[3], 1}
end

-- Returns the reply if the attempt cannot become a holder, and else the smallest end of the other holders.
local function look(fields)
  local of, first, mark = header(key)
  if not of then
    return {-1, 'WRONGTYPE not a lock'}
  end
  local found
  if of ~= kind or slot ~= '' or now() >= first then
    local _
    found, _, first = holders(key)
    if of ~= kind and #found > 0 then
      local slots = slot ~= '' and string.match(of, '^/slots(%d+)$')
      return slots and {4, tonumber(slots)} or refused(found, false)
    end
  end
  if mark > now() then
    return {0, mark - now(), '', 1}
  end
  if slot ~= '' then
    local used = {}
    for _, holder in ipairs(found) do
      used[slot_of(holder[3])] = true
    end
    if not used[slot] then
      return nil, first
    end
    local reply = refused(found, true)
    for number = 0, tonumber(string.match(kind, '%d+')) - 1 do
      if not used[tostring(number)] then
        reply[1] = 5
        reply[#reply + 1] = number
      end
    end
    return reply
  end
  if (found and #found or fields - 1) >= MOST_HOLDERS then
    return refused(found or holders(key), true)
  end
  return nil, first
end

local value, until_then, error = read(key, token)
if error then
  return {-1, error}
end
if value and string.sub(value, 1, #token + 1) == token .. ' ' and not is_kept(value) then
  return until_then and rejoin(value) or {3}
end
if value then
  return {0, left(key, until_then), value, 1}
end
local ends = now() + ttl
local first = ends
local fields = redis.call('HLEN', key)
if fields > 0 then
  local reply
  reply, first = look(fields)
  if reply then
    return reply
  end
end
error = failed(redis.pcall('HSET', key, token, ends .. ' ' .. lease, '', kind .. ' ' .. math.min(first, ends) .. ' 0'))
if error then
  return {-1, error}
end
if redis.call('PTTL', key) < tonumber(ttl) then
  redis.call('PEXPIRE', key, ttl)
end
return grant(function()
  redis.call('HDEL', key, token)
end)

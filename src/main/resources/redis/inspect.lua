-- Reads the holders of the lock and their fencing tokens.
-- KEYS[1] the lock
-- Returns {1, left, value, fence, …}, three for each holder; 0: free, {-1, error}. For a lock of another program, left may be -1:
-- it has no end, and the fence is empty.
local all = {1}

local function add(left, value)
  all[#all + 1] = left
  all[#all + 1] = value
  local _, _, _, fence = parse(value)
  all[#all + 1] = fence or ''
end

local value = redis.pcall('GET', KEYS[1])
if not value then
  return 0
end
if not failed(value) then
  add(redis.call('PTTL', KEYS[1]), value)
  return all
end
local found = holders(KEYS[1])
if not found then
  return {-1, value.err}
end
for _, holder in ipairs(found) do
  add(holder[2] - now(), holder[3])
end
return #found > 0 and all or 0

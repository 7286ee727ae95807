-- Reads the holders of the lock and their fencing tokens.
-- KEYS[1] the lock
-- Returns {left, value, fence}, or {-2, kind, left, value, fence, …} with the kind "/shared" or "/slots4"; 0: free, {-1, error}.
-- The fence is empty for a lock of another program.
local function fence(value)
  return string.match(value, '^%S+ %S+ %d+ (%d+)=? %S+ .*$') or ''
end

local value = redis.pcall('GET', KEYS[1])
if not value then
  return 0
end
if not failed(value) then
  return {redis.call('PTTL', KEYS[1]), value, fence(value)}
end
local found, kind = holders(KEYS[1])
if not found then
  return {-1, value.err}
end
if #found == 0 then
  return 0
end
local time, all = now(), {-2, kind}
for _, holder in ipairs(found) do
  all[#all + 1] = holder[2] - time
  all[#all + 1] = holder[3]
  all[#all + 1] = fence(holder[3])
end
return all

-- Acquires the locks for one attempt and one holder, all or none, or returns the current holders.
-- KEYS and ARGV[1] to ARGV[4] as in grant.lua, ARGV[5] how long the attempt keeps others out if shared holders refuse it, in ms.
-- Without subscribers and such a time, ARGV[4] and ARGV[5] are left out.
-- Returns the fence: granted. {0, left, value, i, …}: other tokens hold the locks KEYS[i]. {2, left, used, fence, age}: this
-- token held them, adopted. {3}: this token holds some of them, or on other terms. {-1, error}.
-- The age is the time in ms since the grant; 0 if unknown; -1 if the fence was raised, and so was checked.
--
-- One free lock comes first, because even to define the functions for the other cases costs time.
local created = false
if #KEYS == 2 then
  local set = redis.pcall('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
  if set and set.err then
    return {-1, set.err}
  end
  if set and not ARGV[4] then
    local last = redis.pcall('SET', KEYS[2], ARGV[3], 'GET')
    local counted = last and tonumber(last)
    if not last or counted and counted < tonumber(ARGV[3]) then
      return tonumber(ARGV[3])
    end
    if not last.err then
      redis.call('SET', KEYS[2], last)
    end
  end
  created = set and true
end

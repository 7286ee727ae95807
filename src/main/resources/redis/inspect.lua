-- Reads the lock and its fencing token.
-- KEYS[1] the lock
-- Returns {left, value, fence}, 0: free, {-1, error}. The fence is empty for a lock of another program.
local value = redis.pcall('GET', KEYS[1])
if not value then
  return 0
end
if type(value) ~= 'string' then
  return {-1, value.err}
end
return {redis.call('PTTL', KEYS[1]), value, string.match(value, '^%S+ %S+ %d+ (%d+)=? %S+ .*$') or ''}

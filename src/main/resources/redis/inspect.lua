-- Reads the lock and its fencing token.
-- KEYS[1] the lock
-- Answers {left, value, fence}, 0: nobody holds it, {-1, error}. Without a fence: another program's lock.
local value = redis.pcall('GET', KEYS[1])
if not value then
  return 0
end
if type(value) ~= 'string' then
  return {-1, value.err}
end
return {redis.call('PTTL', KEYS[1]), value, string.match(value, '^%S+ %S+ %d+ (%d+)=? %d+ .*$') or ''}

-- Reads the lock.
-- KEYS[1] the lock
-- Answers {left, value}, 0: nobody holds it, {-1, error}.
local value = redis.pcall('GET', KEYS[1])
if not value then
  return 0
end
if type(value) ~= 'string' then
  return {-1, value.err}
end
return {redis.call('PTTL', KEYS[1]), value}

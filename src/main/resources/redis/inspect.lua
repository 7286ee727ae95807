-- Reads the lock and its fencing token.
-- KEYS[1] the lock, KEYS[2] its counter
-- Answers {left, value, fence}, 0: nobody holds it, {-1, error}. Without a fence: another program's lock.
local value = redis.pcall('GET', KEYS[1])
if not value then
  return 0
end
if type(value) ~= 'string' then
  return {-1, value.err}
end
local fence = string.match(value, '^%S+ %S+ %d+ (%S+) %d+ .*$')
if fence == '-' then
  fence = redis.pcall('GET', KEYS[2])
end
return {redis.call('PTTL', KEYS[1]), value, type(fence) == 'string' and fence or ''}
